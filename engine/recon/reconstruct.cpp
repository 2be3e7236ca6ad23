#include "engine/recon/reconstruct.h"

#include "engine/core/error.h"
#include "engine/recon/job_memory.h"
#include "engine/recon/scan_problem.h"
#include "engine/recon/tune_scan.h"

namespace spokelab {
namespace {

constexpr double tuningShare = 0.4;  // of the progress bar

// Whether the options leave nothing to the tuner but details.
bool isGiven(const ReconOptions& options) {
  const bool normalOpen = options.iterative.method != ReconMethod::gridding &&
                          options.iterative.transform == TransformKind::automatic &&
                          options.nufft.normal == NormalMethod::automatic;
  return options.nufft.alpha > 0 && options.nufft.width > 0 && !normalOpen;
}

}  // namespace

Reconstruction reconstruct(const std::vector<Backend*>& backends, const Scan& scan,
                           const ReconOptions& options, Wisdom* wisdom, const Progress& progress,
                           const std::function<void(const Candidate&)>& seen) {
  const double start = now();
  const std::vector<Backend*> able = backendsFor(backends, options.backend);
  requireReconstructionMemory(scan, options);
  if (options.exact || (able.size() == 1 && isGiven(options)))
    return able.front()->reconstruct(scan, options, nullptr, wisdom, progress);

  std::shared_ptr<const TuneResult> tuning;
  {
    const TraceScope silent(nullptr);  // transforms that are timed are none of the image's
    const ScanProblem problem = scanProblem(scan, options);
    tuning = std::make_shared<const TuneResult>(tuneScan(able, scan, options, tuneRequest(problem, options),
                                                         wisdom, progress.part(0, tuningShare), seen));
  }
  const double tuningSeconds = now() - start;
  bookStage(nullptr, JobStage::tune, start);
  Reconstruction result;
  if (tuning->cancelled || progress.stopRequested()) {
    result.options = options;
    result.cancelled = true;
  } else {
    const Candidate& best = tuning->candidates[std::size_t(tuning->best)];
    Backend* winner = backendNamed(able, best.backend);
    if (!winner)
      throw Error("Cannot use the plan", "its backend " + best.backend + " is not available", "Tune again");
    result = winner->reconstruct(scan, options, &best, wisdom, progress.part(tuningShare, 1));
  }
  result.tuning = tuning;
  result.tuningSeconds = tuningSeconds;
  result.seconds = now() - start - result.pausedSeconds;
  result.account[JobStage::tune] += tuningSeconds;
  result.account.total = result.seconds;
  return result;
}

}  // namespace spokelab
