#include "engine/nufft/tune/timing.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

#include "engine/core/measure/rank_test.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/measure_error.h"
#include "engine/nufft/tune/plugins/tried_plugin.h"

namespace spokelab {
namespace {

constexpr int minRepeats = 3, maxRepeats = 25;
// A longer run is repeated once after the warm-up.
constexpr double slowRunSeconds = 0.1;
constexpr unsigned errorSeed = 20;

// The run of median total, or the mean of the middle two: medians stage by stage would not add up.
StageTimings medianRun(std::vector<StageTimings> runs) {
  std::sort(runs.begin(), runs.end(),
            [](const StageTimings& a, const StageTimings& b) { return a.total < b.total; });
  StageTimings m = runs[(runs.size() - 1) / 2];
  const StageTimings& other = runs[runs.size() / 2];
  for (std::size_t s = 0; s < std::size_t(stageCount); ++s)
    m.seconds[s] = (m.seconds[s] + other.seconds[s]) / 2;
  m.total = (m.total + other.total) / 2;
  return m;
}

template <class Real>
double pointsOfRun(const Nufft<Real>& plan, Direction direction) {
  const bool twice = direction == Direction::normal || direction == Direction::both;
  return double(plan.points()) * double(plan.problem().batch) * (twice ? 2 : 1);
}

// Without copies between host and GPU, the same for all plans, which vary more than plans do.
template <class Real>
StageTimings runOnce(Nufft<Real>& plan, Direction direction, TimingData& data, double& transferSeconds) {
  StageTimings sum;
  const bool normal = direction == Direction::normal;
  // Make the data before the clock runs.
  std::complex<Real>*const image = direction == Direction::adjoint ? nullptr : data.image<Real>(),
                           *const samples = normal ? nullptr : data.samples<Real>(),
                           *const result = direction == Direction::forward ? nullptr : data.result<Real>();
  const StageRecorder stages(sum);
  const double start = now();
  if (normal) {
    plan.normal(image, result);
  } else {
    if (direction != Direction::adjoint) plan.forward(image, samples);
    if (direction != Direction::forward) plan.adjoint(samples, result);
  }
  transferSeconds = sum[Stage::transfer];
  sum.total = now() - start - transferSeconds;
  sum.points = pointsOfRun(plan, direction);
  sum.seconds[std::size_t(Stage::transfer)] = sum.bytes[std::size_t(Stage::transfer)] = 0;
  return sum;
}

// Runs by the device's clock, if any; a separate run gives the proportion of stages.
template <class Real>
std::vector<StageTimings> runOnDevice(Nufft<Real>& plan, const Workload& workload, int runs) {
  // Recording a call pays off from this number of executions.
  constexpr double minExecutionsRepeated = 4;
  const bool repeated = workload.onDevice && workload.executions >= minExecutionsRepeated;
  const DeviceRuns timed = plan.deviceRuns(workload.direction, runs, repeated);
  const double stages = timed.stages.accounted();
  std::vector<StageTimings> runTimings(timed.seconds.size(), timed.stages);
  for (std::size_t i = 0; i < runTimings.size(); ++i) {
    runTimings[i].total = timed.seconds[i];
    runTimings[i].points = pointsOfRun(plan, workload.direction);
    for (double& s : runTimings[i].seconds) s *= stages > 0 ? runTimings[i].total / stages : 0;
  }
  return runTimings;
}

bool endsLate(const TimingPolicy& policy, double seconds) {
  return policy.deadline > 0 && now() + seconds > policy.deadline;
}

// The first use of a kernel on a GPU loads its code, and a library compiles a length that is new to
// the machine. These 2 to 300 ms would not recur in the next plan, so they must not count for this
// one.
bool loadedCode(double seconds, double predicted) {
  constexpr double minSeconds = 5e-4, ratio = 2;
  return seconds > minSeconds && seconds > ratio * predicted;
}

int repeatsOf(const TimingPolicy& policy, double runSeconds) {
  if (policy.trials > 0) return policy.trials;
  const int atLeast = runSeconds > slowRunSeconds ? 1 : minRepeats;
  return int(std::clamp(policy.seconds / runSeconds, double(atLeast), double(maxRepeats)));
}

// Takes the plan's resolved options; an open method of the other direction stays open.
void takeResolved(const NufftOptions& resolved, Direction direction, NufftOptions& options) {
  const Method spread = options.spread, interpolate = options.interpolate;
  options = resolved;
  if (direction == Direction::forward && spread == Method::automatic) options.spread = spread;
  if (direction == Direction::adjoint && interpolate == Method::automatic) options.interpolate = interpolate;
}

// Sets of points timed together; 1 if the workload or the backend takes one at a time.
std::int64_t setsTimed(const NufftBackend& backend, const TuneRequest& request) {
  constexpr std::int64_t maxSets = 16;  // more take no less time each
  if (request.workload.together < 2 || request.workload.direction == Direction::normal) return 1;
  const std::int64_t best = std::max<std::int64_t>(backend.setsAtOnce(request.options), 1);
  return std::min({std::int64_t(request.workload.together), best, maxSets});
}

// The candidate's methods, or the backend's choice if these cannot take several sets.
template <class Real>
std::unique_ptr<Nufft<Real>> planOf(NufftBackend& backend, const TuneRequest& request,
                                    const NufftOptions& options, std::int64_t sets) {
  if (sets == 1) return backend.plan<Real>(request.problem, options);
  NufftProblem problem = request.problem;
  problem.sets = sets;
  try {
    return backend.plan<Real>(problem, options);
  } catch (const Error&) {
    NufftOptions open = options;
    open.spread = request.options.spread;
    open.interpolate = request.options.interpolate;
    return backend.plan<Real>(problem, open);
  }
}

template <class Real>
void givePoints(Nufft<Real>& plan, const TuneRequest& request, std::int64_t sets,
                const std::vector<double>& repeated) {
  if (sets == 1) return plan.setPoints(request.points);
  std::vector<std::int64_t> offsets;
  for (std::int64_t s = 0; s <= sets; ++s)
    offsets.push_back(s * std::int64_t(request.points.size()) / request.problem.dims);
  plan.setPoints({repeated, offsets});
}

StageTimings dividedBy(StageTimings t, double sets) {
  for (auto* const part : {&t.seconds, &t.bytes, &t.parallel, &t.worked})
    for (double& value : *part) value /= sets;
  t.total /= sets;
  return t;
}

// Runs a plan that has its points, `sets` of them together; each time returned is per set. The
// first run warms up, and is the only one if it took too long.
template <class Real>
std::vector<StageTimings> takeRuns(Nufft<Real>& plan, const TuneRequest& request, Candidate& candidate,
                                   TimingData& data, const TimingPolicy& policy, std::int64_t sets,
                                   const Progress& progress) {
  const auto late = [&](double seconds) { return endsLate(policy, seconds); };
  const auto run = [&] {
    const StageTimings setTimings =
        runOnce(plan, request.workload.direction, data, candidate.transferSeconds);
    candidate.transferSeconds /= double(sets);
    return dividedBy(setTimings, double(sets));
  };
  const auto onDevice = [&](int count) {
    std::vector<StageTimings> setTimings = runOnDevice(plan, request.workload, count);
    for (StageTimings& t : setTimings) t = dividedBy(t, double(sets));
    return setTimings;
  };
  std::vector<StageTimings> runs = onDevice(1);
  const bool deviceTimes = !runs.empty();
  // Host arrays give the time of copies, and the times if the device has no clock.
  const bool moves = deviceTimes && !request.workload.onDevice;
  if (moves && data.transferSeconds) candidate.transferSeconds = *data.transferSeconds;
  if (!deviceTimes || (moves && !data.transferSeconds)) {
    // A Toeplitz form is made at its first use.
    const bool makesForm = !deviceTimes && request.workload.direction == Direction::normal &&
                           plan.info().options.normal != NormalMethod::gridded;
    double prepared = 0;
    if (makesForm)
      prepared = runOnce(plan, request.workload.direction, data, candidate.transferSeconds).total;
    const StageTimings warm = run();  // touches caches and pages
    candidate.setPointsSeconds += std::max(0.0, prepared - warm.total);
    if (moves) data.transferSeconds = candidate.transferSeconds;
    if (!deviceTimes) runs = {warm};
  }
  const double warm = runs.front().total;
  const bool abandoned = policy.trials == 0 && ((policy.abandonAbove > 0 && warm > policy.abandonAbove) ||
                                                late(double(sets) * warm));
  if (!abandoned && deviceTimes) {
    int repeats = repeatsOf(policy, double(sets) * warm);
    while (policy.trials == 0 && repeats > 1 && late(repeats * double(sets) * warm)) --repeats;
    progress.checkpoint();
    runs = onDevice(repeats);
  } else if (!abandoned) {
    const int repeats = repeatsOf(policy, double(sets) * (warm + candidate.transferSeconds));
    runs.clear();
    for (int i = 0; i < repeats; ++i) {
      progress.checkpoint();
      runs.push_back(run());
      if (policy.trials == 0 && ((policy.abandonAbove > 0 && runs.back().total > policy.abandonAbove) ||
                                 late(double(sets) * runs.back().total)))
        break;
    }
  }
  return runs;
}

template <class Real>
void timePlan(NufftBackend& backend, const TuneRequest& request, Candidate& candidate, TimingData& ofOne,
              const TimingPolicy& policy, const Progress& progress) {
  progress.checkpoint();
  const auto late = [&](double seconds) { return endsLate(policy, seconds); };
  const std::int64_t sets = setsTimed(backend, request);
  TimingData& data = sets > 1 ? ofOne.ofSets(request, sets) : ofOne;
  std::vector<double> points;
  for (std::int64_t s = 0; sets > 1 && s < sets; ++s)
    points.insert(points.end(), request.points.begin(), request.points.end());
  backend.warmUp();
  std::unique_ptr<Nufft<Real>> plan;
  const auto makePlan = [&] {
    plan.reset();
    const Span traced("plan");
    const double begun = now();
    plan = planOf<Real>(backend, request, candidate.options, sets);
    candidate.planSeconds = now() - begun;
  };
  makePlan();
  const bool onDevice = plan->info().onDevice;
  if (onDevice && loadedCode(candidate.planSeconds, candidate.predictedParts.plan) &&
      !late(candidate.planSeconds))
    makePlan();
  candidate.grid = plan->info().grid;
  progress.checkpoint();
  const auto isOver = [&](double seconds) {
    return policy.trials == 0 && !request.mustTime && late(seconds);
  };
  const CostParts expected = candidate.predictedParts;
  if (isOver(expected.points + expected.execution)) return;
  const auto setPoints = [&] {
    const Span traced("points set");
    const double start = now();
    givePoints(*plan, request, sets, points);
    if (request.workload.direction == Direction::normal) plan->setWeights(request.weights);
    candidate.setPointsSeconds = (now() - start) / double(sets);
  };
  setPoints();
  // A plan with repeated new points has its memory by then; one with a single set allocates.
  const bool again = request.workload.pointSets > 1,
             anew = onDevice && loadedCode(candidate.setPointsSeconds, expected.points);
  if (again && !late(0)) {
    // Copy a device's points first: copies from the host vary by more than plans differ.
    const bool byDevice =
        onDevice && request.workload.onDevice && request.workload.direction != Direction::normal;
    StageTimings stages;
    {
      std::optional<StageRecorder> view;
      if (byDevice) view.emplace(stages);
      setPoints();
    }
    if (const double work = stages.accounted() - stages[Stage::transfer]; work > 0)
      candidate.setPointsSeconds = work / double(sets);
  } else if (anew && !late(candidate.planSeconds + candidate.setPointsSeconds)) {
    makePlan();
    setPoints();
  }
  if (isOver(expected.execution)) return;
  // Points can need more memory than was estimated.
  checkMemory(plan->info().memory, request.options.memoryLimit, "Cannot plan the transform",
              "Raise the limit");
  progress.checkpoint();

  std::vector<StageTimings> runs = takeRuns(*plan, request, candidate, data, policy, sets, progress);
  const double warm = runs.front().total;
  keepRuns(std::move(runs), candidate);
  candidate.seconds = candidate.parts().whole(request.workload);
  candidate.memory = plan->info().memory;
  takeResolved(plan->info().options, request.workload.direction, candidate.options);
  if (request.workload.direction != Direction::normal) {  // it was not timed
    candidate.options.normal = request.options.normal;
    candidate.options.toeplitzAlpha = request.options.toeplitzAlpha;
  }
  candidate.predicted = plan->info().error;
  if (request.workload.direction != Direction::normal || policy.timesOnly) return;
  // The normal power takes about a run, once; several runs if errors do not wait for the times.
  constexpr double inHaste = 0.01, withTime = 1;
  if (!late(warm)) data.findNormalPower(*plan, policy.errorsLater ? inHaste : withTime);
  if (!policy.errorsLater) predictErrorOf(request, candidate, data);
}

}  // namespace

void keepRuns(std::vector<StageTimings> runs, Candidate& candidate) {
  std::vector<double> totals;
  for (const StageTimings& t : runs) totals.push_back(t.total);
  candidate.repeats = int(runs.size());
  candidate.timings = medianRun(std::move(runs));
  candidate.spread = relativeSpread(totals);
  candidate.runs = std::move(totals);
}

double expectedSeconds(const TuneRequest& request, const Candidate& candidate, const TimingPolicy& policy) {
  const CostParts& p = candidate.predictedParts;
  const double run = p.execution + p.transfer, points = request.workload.pointSets > 1 ? 2 : 1;
  constexpr double warmUps = 1;
  return p.plan + points * p.points + (warmUps + repeatsOf(policy, run)) * run +
         (request.measureError ? errorSeconds(run) : 0);
}

double errorSeconds(double execution) {
  constexpr double exactSums = 0.2, executions = 8;
  return exactSums + executions * execution;
}

void timeCandidate(NufftBackend& backend, const TuneRequest& request, Candidate& candidate, TimingData& data,
                   const TimingPolicy& policy, const Progress& progress) {
  const double start = now();
  const SpanScope timesOnly(SpanCut::work);
  try {
    admitPlugin(backend, request, policy.abandonAbove, candidate, progress);
    if (request.problem.precision == Precision::single)
      timePlan<float>(backend, request, candidate, data, policy, progress);
    else
      timePlan<double>(backend, request, candidate, data, policy, progress);
    if (request.measureError && !policy.timesOnly && !candidate.measuredError) {
      const Span traced("error measured");
      candidate.measuredError = measureError(
          backend, request.problem, candidate.options, request.points, request.weights,
          request.workload.direction,
          affordableOutputs(request.problem, std::int64_t(request.points.size()) / request.problem.dims),
          errorSeed, progress);
    }
  } catch (const Error& e) {
    candidate.refused = e.reason();
  } catch (const std::bad_alloc&) {
    candidate.refused = "there is not enough memory for it";
  }
  if (activeTrace()) tellSpan(describe(candidate), SpanKind::job, start, now());
}

void predictErrorOf(const TuneRequest& request, Candidate& candidate, TimingData& data) {
  if (request.workload.direction != Direction::normal || !data.normalPower()) return;
  candidate.predictedNormalError = predictNormalError(
      request.problem, candidate.options, candidate.grid, candidate.predicted, std::sqrt(*data.normalPower()),
      data.farLags(request), std::int64_t(request.points.size()) / request.problem.dims);
}

void timeCandidate(NufftBackend& backend, const TuneRequest& request, Candidate& candidate,
                   const Progress& progress) {
  TimingData data(request);
  TimingPolicy policy;
  policy.trials = request.trials;
  timeCandidate(backend, request, candidate, data, policy, progress);
}

}  // namespace spokelab
