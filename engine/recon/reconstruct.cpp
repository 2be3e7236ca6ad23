#include "engine/recon/reconstruct.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory/machine_memory.h"
#include "engine/recon/explore/scan_field.h"
#include "engine/recon/job/job_clock.h"
#include "engine/recon/job/job_history.h"
#include "engine/recon/job/job_memory.h"
#include "engine/recon/job/job_text.h"
#include "engine/recon/ranks/device_team.h"
#include "engine/recon/run/job_machine.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/run/tune_scan.h"

namespace spokelab {
namespace {

constexpr double tuningShare = 0.4, fieldShare = 0.4;  // of the progress bar

// Runs on one device, or on all devices that the options name and the job can be divided over.
Reconstruction runOn(Backend& backend, const Scan& scan, const JobPlan& job, const Candidate* plan,
                     Wisdom* wisdom, const Progress& progress) {
  const std::vector<Backend*> devices = devicesOf(backend, job.options.devices);
  nameTracks(devices);
  if (devices.size() > 1) return reconstructOnDevices(devices, scan, job, plan, wisdom, progress);
  return runJob(backend, scan, job, plan, wisdom, progress);
}

Reconstruction tuneAndRun(const std::vector<Backend*>& chosen, const Scan& scan, const JobPlan& job,
                          Wisdom* wisdom, const Progress& progress,
                          const std::function<void(const Candidate&)>& seen) {
  if (job.options.exact || (chosen.size() == 1 && job.planIsGiven))
    return runOn(*chosen.front(), scan, job, nullptr, wisdom, progress);

  std::shared_ptr<const TuneResult> tuning;
  JobTimer timer(JobStage::tune);
  {
    const SpanScope silent(SpanCut::all);  // the tuner's transforms are not the image's
    const ScanProblem problem = scanProblem(scan, job);
    tuning = std::make_shared<const TuneResult>(tuneScan(chosen, scan, job, tuneRequest(problem, job.options),
                                                         wisdom, progress.part(0, tuningShare), seen));
  }
  const double tuningSeconds = timer.end();
  Reconstruction result;
  if (tuning->cancelled || progress.stopRequested()) {
    result.options = job.options;
    result.cancelled = true;
  } else {
    const Candidate& best = tuning->candidates[std::size_t(tuning->best)];
    Backend* winner = backendNamed(chosen, best.backend);
    if (!winner)
      throw Error("Cannot use the plan", "its backend " + best.backend + " is not available", "Tune again");
    result = runOn(*winner, scan, job, &best, wisdom, progress.part(tuningShare, 1));
  }
  result.tuning = tuning;
  result.tuningSeconds = tuningSeconds;
  return result;
}

JobWork workOn(const std::vector<Backend*>& chosen, const JobPlan& job) {
  return jobWork(job, std::vector<NufftBackend*>(chosen.begin(), chosen.end()));
}

// Names the image's frames, if each is one of the scan's frames.
void nameFrames(const Reconstruction& result, const JobPlan& job) {
  if (!result.image || job.frameAxes.empty() || job.frames.size() < std::size_t(result.image->frames) ||
      job.keepsCoefficients() || job.keepsMaps())
    return;
  std::vector<int> shown(std::size_t(result.image->frames));
  std::iota(shown.begin(), shown.end(), 0);
  std::const_pointer_cast<Image>(result.image)->frameAxes = job.frameAxes.select(shown);
}

}  // namespace

JobPlan planReconstruction(const std::vector<Backend*>& backends, const Scan& scan,
                           const ReconOptions& options) {
  return planJob(scan, options, machineOf(backendsFor(backends, options.backend, options.devices), options));
}

JobAccount forecastJob(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
                       const Wisdom* wisdom) {
  return JobHistory(wisdom).forecast(
      workOn(backendsFor(backends, options.backend, options.devices), planJob(scan, options)));
}

void learnJob(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
              const Wisdom* wisdom, const JobAccount& account) {
  JobHistory(wisdom).keep(
      workOn(backendsFor(backends, options.backend, options.devices), planJob(scan, options)), account);
}

Reconstruction reconstruct(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& asked,
                           Wisdom* wisdom, const Progress& wholeProgress,
                           const std::function<void(const Candidate&)>& seen) {
  JobAccount outside;  // stages timed here, before and after runOn(): start-up, field maps, history
  const AccountRecorder account(outside);
  std::optional<JobTimer> preparing(JobStage::startUp);
  const std::vector<Backend*> chosen = backendsFor(backends, asked.backend, asked.devices);
  const bool onGpus = std::any_of(chosen.begin(), chosen.end(),
                                  [](const Backend* backend) { return backend->deviceCount() > 0; });
  const EnergyWatch energy(onGpus);
  ReconOptions options = asked;
  Progress progress = wholeProgress;
  if (findsField(asked)) {
    const JobTimer timer(JobStage::maps);
    try {
      options = withEchoField(*chosen.front(), scan, asked, progress.part(0, fieldShare));
    } catch (const Cancelled&) {
      Reconstruction cancelled;
      cancelled.options = asked;
      cancelled.cancelled = true;
      return cancelled;
    }
    progress = progress.part(fieldShare, 1);
  }
  const JobPlan job = planJob(scan, options, machineOf(chosen, options));
  const JobWork work = workOn(chosen, job);
  JobHistory history(wisdom);
  const JobAccount forecast = history.forecast(work);
  // Without the stages of the caller: starting, reading and writing.
  JobAccount engineForecast = forecast;
  for (const JobStage other : {JobStage::startUp, JobStage::read, JobStage::write}) engineForecast[other] = 0;
  engineForecast.total = engineForecast.accounted();
  try {
    progress.report(0, "Takes " + memoryText(job.memory));
    if (engineForecast.total > 0) progress.report(0, "Expected: " + forecastText(engineForecast));
  } catch (const Cancelled&) {  // the job sees it, too, and makes it a result
  }
  JobClock clock(engineForecast, job.frames.size() == 1 && job.slices.size() == 1, progress);
  requireMemoryFor(job, scan.name);
  preparing.reset();
  const SpanScope watched(&clock);
  Reconstruction result = tuneAndRun(chosen, scan, job, wisdom, clock.progress(), seen);
  nameFrames(result, job);
  result.options.iterative.echoField = nullptr;  // it fits this scan only: do not keep it
  result.forecast = forecast;
  result.memory = job.memory;
  result.notes.insert(result.notes.end(), job.notes.begin(), job.notes.end());
  result.options.coilsAtOnce = job.coilsAtOnceAsked;
  result.options.slabs = job.slabsAsked;
  result.options.accuracyByNoise = options.accuracyByNoise;
  result.energy = energy.use();
  // Moves the stages into the result and sets its total; twice, as keeping the history counts.
  const auto close = [&] {
    result.account += std::exchange(outside, {});
    result.account.total = result.seconds = account.seconds() - result.pausedSeconds;
  };
  close();
  if (result.cancelled) return result;
  JobTimer learning(JobStage::combine);
  JobAccount learnt = result.account;
  learnt[JobStage::startUp] = 0;  // the program that called adds its own start-up
  // A search is remembered: the next job of this kind does without.
  if (result.tuning && !result.tuning->fromWisdom) learnt[JobStage::tune] = 0;
  history.keep(work, learnt);
  learning.end();
  close();
  return result;
}

}  // namespace spokelab
