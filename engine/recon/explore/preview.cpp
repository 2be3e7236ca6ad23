#include "engine/recon/explore/preview.h"

#include <algorithm>
#include <cmath>

#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/recon/density/density.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/sample_selection.h"

namespace spokelab {
namespace {

constexpr std::int64_t minMatrix = 16;
constexpr int previewIterations = 4;      // of Pipe and Menon: enough to look at
constexpr double bandMarginCycles = 0.5;  // cycles/FOV beyond N/2 that still belong to the band (density.h)

Index3 smallerMatrix(const Index3& matrix, int dims, std::int64_t pixels) {
  double whole = 1;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) whole *= double(matrix[d]);
  const double factor = std::min(1.0, std::pow(double(pixels) / whole, 1.0 / dims));
  Index3 smaller = matrix;
  if (factor == 1) return smaller;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) {
    const auto even = 2 * std::int64_t(std::floor(factor * double(matrix[d]) / 2));
    smaller[d] = std::min(matrix[d], std::max(minMatrix, even));
  }
  return smaller;
}

// Samples of each step-th shot in the band: their numbers, and where each shot begins.
struct Kept {
  std::vector<std::int64_t> samples, offsets{0};
};

Kept samplesIn(const Trajectory& trajectory, const Index3& matrix, std::int64_t step) {
  Kept inBand;
  const auto dims = std::size_t(trajectory.dims);
  for (std::int64_t shot = 0; shot < trajectory.shots(); shot += step) {
    const auto begin = trajectory.shotOffsets[std::size_t(shot)],
               end = trajectory.shotOffsets[std::size_t(shot) + 1];
    for (std::int64_t s = begin; s < end; ++s) {
      bool inside = true;
      for (std::size_t d = 0; d < dims; ++d)
        inside = inside && std::abs(trajectory.points[std::size_t(s) * dims + d]) <=
                               double(matrix[d]) / 2 + bandMarginCycles;
      if (inside) inBand.samples.push_back(s);
    }
    if (std::int64_t(inBand.samples.size()) > inBand.offsets.back())
      inBand.offsets.push_back(std::int64_t(inBand.samples.size()));
  }
  return inBand;
}

Trajectory pick(const Trajectory& trajectory, const Kept& kept, std::int64_t step) {
  Trajectory part;
  part.dims = trajectory.dims;
  part.shotOffsets = kept.offsets;
  const auto dims = std::size_t(trajectory.dims);
  part.points.reserve(kept.samples.size() * dims);
  for (const std::int64_t s : kept.samples)
    for (std::size_t d = 0; d < dims; ++d)
      part.points.push_back(trajectory.points[std::size_t(s) * dims + d]);
  if (!trajectory.weights.empty())
    for (const std::int64_t s : kept.samples)
      part.weights.push_back(double(step) * trajectory.weights[std::size_t(s)]);
  return part;
}

}  // namespace

std::shared_ptr<const Scan> previewScan(const Scan& scan, int frame, const ReconOptions& options,
                                        NufftBackend& backend, const PreviewLimits& limits,
                                        const Progress& progress) {
  if (selectsSamples(options)) {
    ReconOptions shown = options;
    shown.frames = std::to_string(frame);
    const auto part = selectSamples(scan, planJob(scan, shown), progress);
    return previewScan(*part, frame, withoutSampleSelection(options), backend, limits, progress);
  }
  const Trajectory& trajectory = scan.trajectory(frame);
  const int dims = trajectory.dims;
  auto small = std::make_shared<Scan>();
  small->name = scan.name;
  small->geometry = scan.geometry.ofFrame(frame);
  small->geometry.frames.clear();
  small->geometry.matrix =
      smallerMatrix(scan.geometry.matrix, dims, dims == 3 ? limits.volumePixels : limits.slicePixels);
  const Index3& matrix = small->geometry.matrix;
  small->coils = scan.coils;
  small->noise = scan.noise;
  progress.checkpoint();
  Kept kept = samplesIn(trajectory, matrix, 1);
  const auto lines = std::int64_t(scan.coils) * scan.slices;
  int firstSlice = 0, slices = scan.slices;
  if (slices > 1 && std::int64_t(kept.samples.size()) * lines > limits.samples) {
    firstSlice = slices / 2;
    slices = 1;
    const Index3 smaller = matrix;
    small->geometry = geometryOf(scan, {frame}, {firstSlice});
    small->geometry.matrix = smaller;
  }
  small->slices = slices;
  const std::int64_t work = std::int64_t(kept.samples.size()) * scan.coils * slices;
  const std::int64_t step = std::clamp<std::int64_t>((work + limits.samples - 1) / limits.samples, 1,
                                                     std::max<std::int64_t>(1, trajectory.shots() / 8));
  if (step > 1) kept = samplesIn(trajectory, matrix, step);
  progress.checkpoint();
  small->trajectories = {pick(trajectory, kept, step)};

  double scale = 1;  // N^-d is the smaller matrix' here
  for (std::size_t d = 0; d < std::size_t(dims); ++d)
    scale *= double(matrix[d]) / double(scan.geometry.matrix[d]);
  Buffer<cfloat> samples;
  samples.resize(std::size_t(slices) * std::size_t(scan.coils) * kept.samples.size());
  cfloat* out = samples.data();
  for (int slice = firstSlice; slice < firstSlice + slices; ++slice)
    for (int coil = 0; coil < scan.coils; ++coil) {
      progress.checkpoint();
      const cfloat* in = scan.data(frame, slice, coil);
      for (const std::int64_t s : kept.samples) *out++ = float(scale) * in[s];
    }
  small->samples.push_back(std::move(samples));

  ReconOptions quick = options;
  quick.pipeMenonIterations = std::min(options.pipeMenonIterations, previewIterations);
  if (quick.density == DensityMethod::voronoi) quick.density = DensityMethod::automatic;
  quick.nufft.alpha = quick.nufft.width = 0;
  setAccuracy(quick, 1e-2);
  Trajectory& own = small->trajectories.front();
  const DensityWeights found = densityWeights(own, matrix, quick, backend, progress);
  own.weights = std::vector<double>(found.values.begin(), found.values.end());
  return small;
}

ReconOptions previewOptions(ReconOptions asked, const Scan& preview, const PreviewLimits& limits) {
  ReconOptions options = withoutSampleSelection(std::move(asked));
  options.iterative = {};
  options.effort = TuneEffort::estimate;
  options.exact = false;
  options.frames.clear();
  options.slices.clear();
  options.density = DensityMethod::file;
  options.combination = Combination::rootSumSquares;
  const int coils = planJob(preview, options).coils;
  if (coils > limits.coils) options.virtualCoils = limits.coils;
  setAccuracy(options, heldAccuracy(preview, options));
  return options;
}

double heldAccuracy(const Scan& scan, const ReconOptions& options) {
  const NufftOptions& plan = options.nufft;
  if (!(plan.alpha > 0 && plan.width > 0) ||
      !Kernel::defined(resolvedKernel(plan.kernel), plan.width, plan.alpha))
    return plan.accuracy;
  NufftProblem problem;
  problem.dims = scan.dims();
  problem.precision = options.precision;
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) problem.size[d] = scan.geometry.matrix[d];
  const Kernel kernel(resolvedKernel(plan.kernel), plan.width, plan.alpha);
  const double bound = predictError(problem, kernel, gridSize(problem, plan.alpha, plan.width), 0).bound;
  constexpr double roomForPolynomial = 1.02, largest = 0.5;
  const double held = std::min(largest, roomForPolynomial * bound);
  if (held <= plan.accuracy) return plan.accuracy;
  const double digit = std::pow(10.0, std::floor(std::log10(held)) - 1);  // two digits, rounded up
  return std::min(largest, std::ceil(held / digit) * digit);
}

}  // namespace spokelab
