#include "engine/recon/sense/sense_groups.h"

#include "engine/core/thread_pool.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/kernel/smallest_width.h"

namespace spokelab {

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
    for (std::int64_t j = begin; j < end; ++j) group.samples.push_back(j);
    if (end - begin != length) length = -1;
    ++group.shots;
    if (length < 0) group.shots = 1;
  }
  if (length < 0)
    for (ShotGroup& group : groups) group.shots = 1;
  return groups;
}

std::vector<double> groupPoints(const SenseProblem& problem, const ShotGroup& group) {
  const auto dims = std::size_t(problem.dims);
  constexpr std::int64_t grain = 1 << 14;
  std::vector<double> points(group.samples.size() * dims);
  parallelFor(std::int64_t(group.samples.size()), 0, grain, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
      const auto j = std::size_t(group.samples[i]);
      for (std::size_t d = 0; d < dims; ++d)
        points[i * dims + d] = problem.points[j * dims + d] / double(problem.matrix[d]);
    }
  });
  return points;
}

std::vector<double> groupWeights(const SenseProblem& problem, const ShotGroup& group) {
  std::vector<double> weights;
  if (problem.weights.empty()) return weights;
  weights.reserve(group.samples.size());
  for (const std::int64_t j : group.samples) weights.push_back(problem.weights[std::size_t(j)]);
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
  options.normal = NormalMethod::gridded;  // segments are summed between the two directions
  const NufftProblem nufft = nufftProblem(problem, 1);
  if (options.width > 0 && options.alpha > 0 &&
      !meetsAccuracy(nufft, resolvedKernel(options.kernel), options.alpha, options.width, options.accuracy))
    options.width = 0;
  return options;
}

NufftOptions convolutionNufft(const SenseProblem& problem, NufftOptions options) {
  const NormalMethod asked = options.normal;
  options = segmentNufft(problem, options);
  options.normal = isToeplitz(asked) ? asked : NormalMethod::toeplitz;
  return options;
}

NufftOptions plainNufft(TransformKind kind, NufftOptions options) {
  if (kind == TransformKind::toeplitz && !isToeplitz(options.normal)) options.normal = NormalMethod::toeplitz;
  if (kind == TransformKind::nufft && options.normal == NormalMethod::automatic)
    options.normal = NormalMethod::gridded;
  return options;
}

GdftProblem gdftProblem(const SenseProblem& problem, const ShotGroup& group, bool intravoxel) {
  GdftProblem result;
  result.dims = problem.dims;
  result.matrix = problem.matrix;
  const auto dims = std::size_t(problem.dims);
  for (const std::int64_t j : group.samples) {
    for (std::size_t d = 0; d < dims; ++d) result.points.push_back(problem.points[std::size_t(j) * dims + d]);
    if (!problem.times.empty()) result.times.push_back(problem.times[std::size_t(j)]);
  }
  result.field = problem.field;
  result.decay = problem.decay;
  result.intravoxel = intravoxel;
  if (result.intravoxel) result.gradient = problem.gradient;
  result.shots = group.shots;
  return result;
}

}  // namespace spokelab
