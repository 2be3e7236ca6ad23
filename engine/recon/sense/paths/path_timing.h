// Times one path of a problem with a field, on vectors of any space: the file of each machine
// includes it for its space.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/nufft/tune/normal/normal_error.h"
#include "engine/nufft/tune/timing.h"
#include "engine/recon/sense/sense_groups.h"

namespace spokelab {

// Values that all candidates of a search share.
struct PathRequest {
  SenseProblem problem;  // what a transform needs of it: coils and maps are left out
  ShotGroup group;
  Workload workload;
  SegmentCheck forward;
  NormalCheck normal;
  std::optional<FarLags> farLags;
  bool segmentsGiven = false;  // by a person: their error is told, and does not refuse them
};

// True if the problem's transform is of this kind, or automatic, which admits all kinds but gdftR2.
bool admits(const SenseProblem& problem, TransformKind kind);
// The exact sums of the problem's first group of shots.
GdftProblem firstExact(const SenseProblem& problem);
// Makes the request for the first group of shots of a problem, with the exact sums that errors are
// measured against. exact: firstExact; nufft: the request without the field.
PathRequest makePathRequest(const SenseProblem& problem, const GdftProblem& exact, const TuneRequest& nufft,
                            const Progress& progress);
// Tunes a segmented transform's NUFFTs: forward and adjoint of a batch. nufft: without field.
TuneRequest segmentRequest(const SenseProblem& problem, const TuneRequest& nufft, std::int64_t segments);
// The request's problem with the candidate's options and path.
SenseProblem problemOf(const PathRequest& request, const Candidate& candidate);
// The same group with at most `count` samples.
ShotGroup someSamples(const ShotGroup& group, std::int64_t count);
// Says why a candidate cannot serve whose transform has this error, or whose normal operator
// (measuredError) is too far off: both of its transforms may have the accuracy's error.
void judgeErrors(Candidate& candidate, double transformError, double accuracy);

// The relative l2 error of a transform at the check's samples.
template <VectorSpace Space>
double transformError(Space& space, SampleTransform<typename Space::Real>& transform,
                      const SegmentCheck& check, const Progress& progress) {
  using Complex = typename Space::Complex;
  const std::int64_t pixels = transform.pixels(), samples = transform.samples(), batch = transform.batch();
  std::vector<Complex> host(check.image.begin(), check.image.end());
  auto image = space.make(batch * pixels), result = space.make(batch * samples);
  space.zero(image.data(), batch * pixels);
  space.upload(host.data(), image.data(), pixels);
  transform.forward(image.data(), result.data(), batch, space.execution(), progress);
  host.resize(std::size_t(samples));
  space.download(result.data(), host.data(), samples);
  return checkedError(check, std::vector<cdouble>(host.begin(), host.end()));
}

template <VectorSpace Space>
class PathTiming {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;

  PathTiming(Space& space, TransformBackend& backend, const PathRequest& request, const TimingPolicy& policy,
             const Progress& progress)
      : space_(space), backend_(backend), request_(request), policy_(policy), progress_(progress) {}

  void run(Candidate& c) {
    const SenseProblem problem = problemOf(request_, c);
    isExact(c.path.transform) ? timeExact(problem, c) : timeWhole(problem, c);
    c.seconds = c.parts().whole(request_.workload);
  }

 private:
  // Times some of the samples and scales up: exact sums of all may take minutes.
  void timeExact(const SenseProblem& problem, Candidate& c) {
    constexpr std::int64_t timedPairs = 100'000'000, minTimedSamples = 256;
    constexpr double minTimedSeconds = 0.02;  // shorter runs keep no GPU busy
    const std::int64_t pixels = product(problem.matrix), all = std::int64_t(request_.group.samples.size());
    std::vector<StageTimings> runs;
    for (std::int64_t taken = std::max(minTimedSamples, timedPairs / pixels);;) {
      const ShotGroup some = someSamples(request_.group, taken);
      const double begun = now();
      const auto transform =
          makeGroupTransform(space_, backend_, problem, c.path.transform, some, notes_, progress_);
      transform->setWeights(std::vector<double>(some.samples.size(), 1.0));
      c.planSeconds = now() - begun;
      runs = timedRuns(*transform);
      const double seconds = runs.back().total;
      if (seconds < minTimedSeconds && taken < all) {
        constexpr double maxGrowth = 64;
        taken = std::int64_t(double(taken) * std::clamp(2 * minTimedSeconds / seconds, 2.0, maxGrowth));
        continue;
      }
      const double scale = double(all) / double(some.samples.size());
      for (StageTimings& run : runs) {
        run.total *= scale;
        run.seconds.fill(0);  // sums are not a stage of a NUFFT
      }
      break;
    }
    keepRuns(std::move(runs), c);
    if (policy_.timesOnly) return;
    ShotGroup checked;
    for (const std::int64_t i : request_.forward.selection)
      checked.samples.append(request_.group.samples[std::size_t(i)],
                             request_.group.samples[std::size_t(i)] + 1);
    SegmentCheck check = request_.forward;
    for (std::size_t i = 0; i < check.selection.size(); ++i) check.selection[i] = std::int64_t(i);
    const auto sums =
        makeGroupTransform(space_, backend_, problem, c.path.transform, checked, notes_, progress_);
    c.predicted.relativeL2 = sums->error();
    c.measuredError = transformError(space_, *sums, check, progress_);
  }

  void timeWhole(const SenseProblem& problem, Candidate& c) {
    const double begun = now();
    const auto transform =
        makeGroupTransform(space_, backend_, problem, c.path.transform, request_.group, notes_, progress_);
    c.planSeconds = now() - begun;
    const double accuracy = c.options.accuracy;
    const PlanInfo plan = transform->plan();
    c.options = plan.options;
    c.options.accuracy = accuracy;
    c.grid = plan.grid;
    c.memory = plan.memory * std::max(1, c.path.convolutions);
    if (policy_.timesOnly) return keepRuns(timedRuns(*transform), c);
    const double error = transformError(space_, *transform, request_.forward, progress_);
    c.measuredError = normalError(space_, *transform, request_.normal, progress_);
    if (!request_.segmentsGiven && knowsField(c.path.transform)) judgeErrors(c, error, accuracy);
    if (!c.refused.empty()) return;
    keepRuns(timedRuns(*transform), c);
    c.predictedNormalError =
        std::hypot(c.predictedNormalError,
                   predictNormalError(nufftProblem(problem, 1), c.options, c.grid, c.predicted,
                                      checkedGain(request_.normal), *request_.farLags, transform->samples()));
  }

  // Times the normal operator for the number of images that a call of the problem's NUFFT takes.
  std::vector<StageTimings> timedRuns(SampleTransform<Real>& transform) {
    constexpr int minRepeats = 3, maxRepeats = 25;
    constexpr double slowRunSeconds = 0.1;  // repeated once after the run that warms up
    // A GPU loads a kernel's code at its first launch: so short a run does not tell a slow path.
    constexpr double loadingSeconds = 0.05;
    const std::int64_t images = std::max(transform.batch(), request_.problem.batch),
                       pixels = transform.pixels();
    auto in = space_.make(images * pixels), out = space_.make(images * pixels);
    std::vector<Complex> host(request_.forward.image.begin(), request_.forward.image.end());
    for (std::int64_t i = 0; i < images; ++i) space_.upload(host.data(), in.data() + i * pixels, pixels);
    const auto runOnce = [&] {
      progress_.checkpoint();
      StageTimings timings;
      const StageRecorder stages(timings);
      space_.synchronize();
      const double start = now();
      transform.normal(in.data(), out.data(), images, space_.execution(), progress_);
      space_.synchronize();
      timings.total = now() - start;
      return timings;
    };
    std::vector<StageTimings> runs = {runOnce()};
    double warm = runs.front().total;
    const auto late = [&](double seconds) {
      return policy_.trials == 0 && policy_.deadline > 0 && now() + seconds > policy_.deadline;
    };
    const auto abandoned = [&] {
      return policy_.trials == 0 && policy_.abandonAbove > 0 && warm > policy_.abandonAbove;
    };
    if (late(warm)) return runs;
    if (abandoned() && warm < loadingSeconds) {
      runs = {runOnce()};
      warm = runs.front().total;
    }
    if (abandoned() || late(warm)) return runs;
    const int repeats = policy_.trials > 0 ? policy_.trials
                                           : std::clamp(int(policy_.seconds / warm),
                                                        warm > slowRunSeconds ? 1 : minRepeats, maxRepeats);
    runs.clear();
    for (int i = 0; i < repeats && (i == 0 || !late(runs.back().total)); ++i) runs.push_back(runOnce());
    return runs;
  }

  Space& space_;
  TransformBackend& backend_;
  const PathRequest& request_;
  const TimingPolicy& policy_;
  const Progress& progress_;
  std::vector<std::string> notes_;
};

// On the CPU's vectors, whatever machine transforms them.
void timePathOnHost(TransformBackend& backend, const PathRequest& request, Candidate& candidate,
                    const TimingPolicy& policy, const Progress& progress);

// Fills the candidate, or says in `refused` why it cannot serve. Throws Cancelled.
template <VectorSpace Space>
void timePathIn(Space& space, TransformBackend& backend, const PathRequest& request, Candidate& candidate,
                const TimingPolicy& policy, const Progress& progress) {
  try {
    PathTiming<Space>(space, backend, request, policy, progress).run(candidate);
  } catch (const Error& e) {
    candidate.refused = e.reason();
  } catch (const std::bad_alloc&) {
    candidate.refused = "there is not enough memory for it";
  }
}

}  // namespace spokelab
