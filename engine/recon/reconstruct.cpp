#include "engine/recon/reconstruct.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/memory/machine_memory.h"
#include "engine/recon/forecast/job_clock.h"
#include "engine/recon/forecast/job_history.h"
#include "engine/recon/job_memory.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/prepare/slice_selection.h"
#include "engine/recon/ranks/device_team.h"
#include "engine/recon/ranks/rank_outline.h"
#include "engine/recon/scan_problem.h"
#include "engine/recon/tune_scan.h"

namespace spokelab {
namespace {

constexpr double tuningShare = 0.4;  // of the progress bar

// On one device, or on all that the options name and the job can be divided over.
Reconstruction runOn(Backend& backend, const Scan& scan, const ReconOptions& options, const Candidate* plan,
                     Wisdom* wisdom, const Progress& progress) {
  const std::vector<Backend*> devices = devicesOf(backend, options.devices);
  nameTracks(devices);
  if (devices.size() > 1) return reconstructOnDevices(devices, scan, options, plan, wisdom, progress);
  return backend.reconstruct(scan, options, plan, wisdom, progress);
}

// As the function of the same name, without forecast.
Reconstruction tuneAndRun(const std::vector<Backend*>& able, const Scan& scan, const ReconOptions& options,
                          Wisdom* wisdom, const Progress& progress,
                          const std::function<void(const Candidate&)>& seen) {
  const double start = now();
  requireReconstructionMemory(scan, options);
  if (options.exact || (able.size() == 1 && planIsGiven(options)))
    return runOn(*able.front(), scan, options, nullptr, wisdom, progress);

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
    result = runOn(*winner, scan, options, &best, wisdom, progress.part(tuningShare, 1));
  }
  result.tuning = tuning;
  result.tuningSeconds = tuningSeconds;
  result.seconds = now() - start - result.pausedSeconds;
  result.account[JobStage::tune] += tuningSeconds;
  result.account.total = result.seconds;
  return result;
}

JobWork workOn(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options) {
  const std::vector<Backend*> able = backendsFor(backends, options.backend, options.devices);
  return jobWork(scan, options, std::vector<NufftBackend*>(able.begin(), able.end()));
}

// What the image's frames are, where each is one of the scan's.
void nameFrames(const Reconstruction& result, const Scan& scan, const ReconOptions& options) {
  const std::vector<int> frames = selection(options.frames, scan.frames, "frames");
  if (!result.image || scan.frameAxes.empty() || frames.size() < std::size_t(result.image->frames)) return;
  std::const_pointer_cast<Image>(result.image)->frameAxes =
      scan.frameAxes.select({frames.begin(), frames.begin() + result.image->frames});
}

}  // namespace

JobAccount forecastJob(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
                       const Wisdom* wisdom) {
  return JobHistory(wisdom).forecast(workOn(backends, scan, options));
}

void learnJob(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
              const Wisdom* wisdom, const JobAccount& account) {
  JobHistory(wisdom).keep(workOn(backends, scan, options), account);
}

Reconstruction reconstruct(const std::vector<Backend*>& backends, const Scan& scan,
                           const ReconOptions& options, Wisdom* wisdom, const Progress& progress,
                           const std::function<void(const Candidate&)>& seen) {
  const double begun = now();
  const JobAccount forecast = forecastJob(backends, scan, options, wisdom);
  JobAccount own = forecast;  // what happens here
  for (const JobStage outside : {JobStage::startUp, JobStage::read, JobStage::write}) own[outside] = 0;
  own.total = own.accounted();
  const bool oneImage = selection(options.frames, scan.frames, "frames").size() == 1 &&
                        (scan.dims() == 3 || slicesAskedFor(scan, options).size() == 1);
  const std::vector<Backend*> able = backendsFor(backends, options.backend, options.devices);
  std::vector<std::string> notes;
  double room = double(memoryBounds().left);
  if (options.nufft.memoryLimit > 0) room = std::min(room, double(options.nufft.memoryLimit));
  ReconOptions fitted = fittedToMemory(scan, options, room, notes);
  fitted = dividedToFit(scan, fitted, able, roomToDivide(options), notes);
  if (options.slabs == 0 && fitted.slabs > 1)
    for (Backend* backend : able)
      fitted = occupiedBySlabs(scan, fitted, int(devicesOf(*backend, options.devices).size()));
  const JobMemory memory = jobMemory(scan, fitted, able);
  try {
    progress.report(0, "Takes " + memoryText(memory));
    if (own.total > 0) progress.report(0, "Expected: " + forecastText(own));
  } catch (const Cancelled&) {  // the job sees it, too, and makes it a result
  }
  JobClock clock(own, oneImage, progress);
  const JobWatchScope watched(&clock);
  const double beforehand = now() - begun;
  Reconstruction result = tuneAndRun(able, scan, fitted, wisdom, clock.progress(), seen);
  nameFrames(result, scan, options);
  result.account[JobStage::startUp] += beforehand;
  result.account.total = result.seconds += beforehand;
  result.forecast = forecast;
  result.memory = memory;
  result.notes.insert(result.notes.end(), notes.begin(), notes.end());
  result.options.coilsAtOnce = options.coilsAtOnce;  // as asked
  result.options.slabs = options.slabs;
  if (result.cancelled) return result;
  const double learning = now();
  JobAccount learnt = result.account;
  learnt[JobStage::startUp] = 0;  // of the program, which its owner knows
  // A search is remembered: the next job of this kind does without.
  if (result.tuning && !result.tuning->fromWisdom) learnt[JobStage::tune] = 0;
  learnJob(backends, scan, options, wisdom, learnt);
  const double afterwards = now() - learning;
  result.account[JobStage::combine] += afterwards;
  result.account.total = result.seconds += afterwards;
  return result;
}

}  // namespace spokelab
