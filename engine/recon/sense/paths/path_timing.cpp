#include "engine/recon/sense/paths/path_timing.h"

#include "engine/core/text.h"

namespace spokelab {

bool admits(const SenseProblem& problem, TransformKind kind) {
  return problem.transform == kind ||
         (problem.transform == TransformKind::automatic && kind != TransformKind::gdftR2);
}

GdftProblem firstExact(const SenseProblem& problem) {
  return gdftProblem(problem, shotGroups(problem).front(), problem.transform == TransformKind::gdftR2);
}

PathRequest makePathRequest(const SenseProblem& problem, const GdftProblem& exact, const TuneRequest& nufft,
                            const Progress& progress) {
  PathRequest request;
  request.problem = problem;
  request.group = shotGroups(problem).front();
  request.workload = nufft.workload;
  request.segmentsGiven = problem.segments > 0 || problem.convolutions > 0;
  request.forward = makeSegmentCheck(exact);
  const int threads = nufft.options.threads;
  request.normal = makeNormalCheck(exact, {}, threads, progress);
  request.farLags.emplace(nufft.problem, nufft.points, std::span<const double>(), threads);
  return request;
}

TuneRequest segmentRequest(const SenseProblem& problem, const TuneRequest& nufft, std::int64_t segments) {
  TuneRequest request = nufft;
  request.problem.batch = segmentBatch(segments, product(problem.matrix));
  request.options = segmentNufft(problem, request.options);
  request.workload.direction = Direction::both;
  request.workload.executions *= double(problem.batch * segments) / double(request.problem.batch);
  request.measureError = false;
  request.mustTime = false;
  return request;
}

SenseProblem problemOf(const PathRequest& request, const Candidate& candidate) {
  SenseProblem problem = request.problem;
  problem.nufft = candidate.options;
  problem.transform = candidate.path.transform;
  problem.interpolator = candidate.path.interpolator;
  problem.segments = candidate.path.segments;
  problem.convolutions = candidate.path.convolutions;
  return problem;
}

ShotGroup someSamples(const ShotGroup& group, std::int64_t count) {
  ShotGroup some = group;
  if (count >= std::int64_t(group.samples.size())) return some;
  some.shots = 1;
  some.samples.shorten(std::size_t(count));
  return some;
}

void judgeErrors(Candidate& candidate, double transformError, double accuracy) {
  constexpr int digits = 2;
  const double error = std::max(transformError, *candidate.measuredError / std::sqrt(2.0));
  if (error > accuracy)
    candidate.refused =
        "its error is " + numberText(error, digits) + ", more than " + numberText(accuracy, digits);
}

void TransformBackend::timePath(const PathRequest& request, Candidate& candidate, const TimingPolicy& policy,
                                const Progress& progress) {
  timePathOnHost(*this, request, candidate, policy, progress);
}

void timePathOnHost(TransformBackend& backend, const PathRequest& request, Candidate& candidate,
                    const TimingPolicy& policy, const Progress& progress) {
  const int threads = request.problem.nufft.threads;
  if (request.problem.precision == Precision::double64) {
    HostSpace<double> space(threads);
    return timePathIn(space, backend, request, candidate, policy, progress);
  }
  HostSpace<float> space(threads);
  timePathIn(space, backend, request, candidate, policy, progress);
}

}  // namespace spokelab
