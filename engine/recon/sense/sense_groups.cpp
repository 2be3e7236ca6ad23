#include "engine/recon/sense/sense_groups.h"

#include <algorithm>

#include "engine/core/thread_pool.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/kernel/smallest_width.h"

namespace spokelab {
namespace {

constexpr std::int64_t samplesPerTask = 1 << 14;

}  // namespace

std::vector<ShotGroup> shotGroups(const SenseProblem& problem) {
  std::vector<int> shots = problem.shots;
  if (shots.empty())
    for (std::size_t s = 0; s + 1 < problem.shotOffsets.size(); ++s) shots.push_back(int(s));
  std::vector<ShotGroup> groups;
  std::int64_t length = -1;
  for (const int shot : shots) {
    const std::int64_t begin = problem.shotOffsets[std::size_t(shot)],
                       end = problem.shotOffsets[std::size_t(shot) + 1];
    if (groups.empty() || !problem.phases.empty()) {
      groups.emplace_back();
      groups.back().phase = problem.phases.empty() ? -1 : shot;
      groups.back().shots = 0;
      length = end - begin;
    }
    ShotGroup& group = groups.back();
    group.samples.append(begin, end);
    if (end - begin != length) length = -1;
    ++group.shots;
    if (length < 0) group.shots = 1;
  }
  if (length < 0)
    for (ShotGroup& group : groups) group.shots = 1;
  return groups;
}

std::span<const double> groupCoordinates(const SenseProblem& problem, const ShotGroup& group,
                                         Buffer<double>& room) {
  const auto dims = std::size_t(problem.dims);
  const std::size_t count = group.samples.size();
  if (count == 0) return {};
  if (group.samples.contiguous())
    return std::span(problem.points).subspan(std::size_t(group.samples.front()) * dims, count * dims);
  room.resize(count * dims);
  parallelFor(std::int64_t(count), problem.nufft.threads, samplesPerTask,
              [&](std::int64_t begin, std::int64_t end) {
                for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
                  const double* const k = problem.points.data() + std::size_t(group.samples[i]) * dims;
                  std::copy(k, k + dims, room.data() + i * dims);
                }
              });
  return room;
}

PlanPoints pointsAt(const SenseProblem& problem, std::span<const double> coordinates) {
  PlanPoints points(coordinates);
  points.divisors = {double(problem.matrix[0]), double(problem.matrix[1]), double(problem.matrix[2])};
  return points;
}

PlanPoints planPoints(const SenseProblem& problem, const ShotGroup& group, Buffer<double>& room) {
  PlanPoints points = pointsAt(problem, groupCoordinates(problem, group, room));
  if (problem.placedPoints && !group.samples.empty() && group.samples.contiguous())
    points.placed = problem.placedPoints + group.samples.front() * problem.dims;
  return points;
}

Buffer<double> groupPoints(const SenseProblem& problem, const ShotGroup& group) {
  Buffer<double> room;
  const PlanPoints points = pointsAt(problem, groupCoordinates(problem, group, room));
  return dividedPoints(points.coordinates, problem.dims, points.divisors, problem.nufft.threads);
}

Buffer<double> groupWeights(const SenseProblem& problem, const ShotGroup& group) {
  Buffer<double> weights(problem.weights.empty() ? 0 : group.samples.size());
  parallelFor(std::int64_t(weights.size()), problem.nufft.threads, samplesPerTask,
              [&](std::int64_t begin, std::int64_t end) {
                for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
                  weights[i] = problem.weights[std::size_t(group.samples[i])];
              });
  return weights;
}

NufftProblem nufftProblem(const SenseProblem& problem, std::int64_t batch) {
  NufftProblem nufft;
  nufft.dims = problem.dims;
  nufft.size = problem.matrix;
  nufft.precision = problem.precision;
  nufft.batch = batch;
  return nufft;
}

NufftOptions segmentNufft(const SenseProblem& problem, NufftOptions options) {
  options.accuracy /= 2;
  options.normal = NormalMethod::later;  // never applied: segments are summed between the two directions
  const NufftProblem nufft = nufftProblem(problem, 1);
  if (options.width > 0 && options.alpha > 0 &&
      !meetsAccuracy(nufft, resolvedKernel(options.kernel), options.alpha, options.width,
                     transformAccuracy(options)))
    options.width = 0;
  return options;
}

NufftOptions convolutionNufft(const SenseProblem& problem, NufftOptions options) {
  const NormalMethod requestedNormal = options.normal;
  options = segmentNufft(problem, options);
  options.normal = isToeplitz(requestedNormal) ? requestedNormal : NormalMethod::toeplitz;
  return options;
}

GdftProblem gdftProblem(const SenseProblem& problem, const ShotGroup& group, bool intravoxel) {
  GdftProblem result;
  result.dims = problem.dims;
  result.matrix = problem.matrix;
  result.reproducible = problem.nufft.reproducible;
  const auto dims = std::size_t(problem.dims);
  for (std::size_t i = 0; i < group.samples.size(); ++i) {
    const std::int64_t j = group.samples[i];
    for (std::size_t d = 0; d < dims; ++d) result.points.push_back(problem.points[std::size_t(j) * dims + d]);
    if (!problem.times.empty()) result.times.push_back(problem.times[std::size_t(j)]);
  }
  result.field = problem.field;
  result.decay = problem.decay;
  result.intravoxel = intravoxel;
  if (result.intravoxel) result.gradient = problem.gradient;
  result.shots = group.shots;
  result.forms.count = problem.forms.count;
  result.forms.places = problem.forms.places;
  const std::int64_t samples = std::int64_t(problem.points.size()) / problem.dims;
  for (std::int64_t f = 0; f < problem.forms.count; ++f)
    for (std::size_t i = 0; i < group.samples.size(); ++i)
      result.forms.turns.push_back(problem.forms.turns[std::size_t(f * samples + group.samples[i])]);
  return result;
}

}  // namespace spokelab
