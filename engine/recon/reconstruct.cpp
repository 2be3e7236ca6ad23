#include "engine/recon/reconstruct.h"

#include "engine/core/error.h"
#include "engine/recon/job_memory.h"
#include "engine/recon/scan_problem.h"

namespace spokelab {
namespace {

constexpr double tuningShare = 0.4;  // of the progress bar

}  // namespace

Reconstruction reconstruct(const std::vector<Backend*>& backends, const Scan& scan,
                           const ReconOptions& options, Wisdom* wisdom, const Progress& progress,
                           const std::function<void(const Candidate&)>& seen) {
  const double start = now();
  const std::vector<Backend*> able = backendsFor(backends, options.backend);
  requireReconstructionMemory(scan, options);
  const bool given = options.nufft.alpha > 0 && options.nufft.width > 0;
  if (options.exact || (given && able.size() == 1))
    return able.front()->reconstruct(scan, options, nullptr, wisdom, progress);

  const ScanProblem problem = scanProblem(scan, options);
  const std::vector<NufftBackend*> candidates(able.begin(), able.end());
  const auto tuning = std::make_shared<const TuneResult>(
      tune(candidates, tuneRequest(problem, options), wisdom, progress.part(0, tuningShare), seen));
  const double tuningSeconds = now() - start;
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
  return result;
}

}  // namespace spokelab
