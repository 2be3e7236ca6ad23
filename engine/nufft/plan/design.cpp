#include "engine/nufft/plan/design.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "engine/core/error.h"
#include "engine/core/memory/machine_memory.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/simd/cpu_features.h"
#include "engine/core/text.h"
#include "engine/nufft/fft/lines_fft.h"
#include "engine/nufft/kernel/deapodization.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/plan/psf.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/points/bin_sort.h"
#include "engine/nufft/spread/kernels/spread_interleaved.h"
#include "engine/nufft/spread/sparse_matrix.h"
#include "engine/nufft/spread/tile_schedule.h"
#include "engine/nufft/toeplitz/toeplitz.h"

namespace spokelab {
namespace {

NufftOptions resolvedForCpu(const NufftProblem& problem, const NufftOptions& asked) {
  NufftOptions options = resolveOptions(problem, asked);
  for (Method* method : {&options.spread, &options.interpolate}) {
    if (*method != Method::automatic && *method != Method::blocked && *method != Method::sector &&
        *method != Method::sparse) {
      throw Error("Cannot plan the transform",
                  "the method \"" + std::string(methodName(*method)) + "\" does not run on the CPU",
                  "Choose \"auto\", \"blocked\", \"sector\" or \"sparse\", or the GPU");
    }
    if (*method == Method::automatic) *method = Method::blocked;
  }
  if (options.precomputation == Precomputation::automatic)
    options.precomputation = Precomputation::polynomial;
  if (options.spread == Method::sparse || options.scheduler.kind == Scheduler::automatic)
    options.scheduler.kind = Scheduler::tiles;
  if (options.fftEffort == FftEffort::automatic || !fftMeasuresPlans())
    options.fftEffort = FftEffort::estimate;
  if (options.reproducible && options.fftEffort != FftEffort::estimate)
    throw Error("Cannot plan the transform",
                "FFTW's " + std::string(fftEffortName(options.fftEffort)) +
                    " chooses by measured times, so that two runs may round differently",
                "Choose the effort estimate, or do without reproducible");
  return options;
}

// Refuses sizes beyond 32 bits, by which FFTW counts a dimension and SortedPoint an offset.
void checkRange(const GridLayout& layout) {
  const auto slowest = static_cast<std::size_t>(layout.dims - 1);
  const std::int64_t offset = layout.tile[slowest] * layout.stride[slowest];
  const std::int64_t longest = *std::max_element(layout.grid.begin(), layout.grid.end());
  if (offset <= std::numeric_limits<std::uint32_t>::max() &&
      longest < std::numeric_limits<std::int32_t>::max())
    return;
  throw Error("Cannot plan the transform", "its grid is too large",
              "Choose a smaller oversampling ratio or image");
}

template <class Real>
std::int64_t pointBytes(int dims) {
  SortedPoints<Real> points;
  points.dims = dims;
  return points.recordBytes();
}

}  // namespace

template <class Real>
CpuPlanDesign<Real>::CpuPlanDesign(const NufftProblem& problem, const NufftOptions& asked)
    : options(resolvedForCpu(problem, asked)),
      kernel(options.kernel, options.width, options.alpha),
      grid(gridSize(problem, options.alpha, options.width, options.axisAlpha)),
      polynomial(fitKernel(kernel, polynomialTolerance(problem, kernel, grid, transformAccuracy(options)))) {
  if (options.precomputation != Precomputation::polynomial) {
    source = std::make_shared<KernelSource<Real>>(
        kernel, polynomial, options.precomputation,
        polynomialTolerance(problem, kernel, grid, transformAccuracy(options)));
  }
  error = predictError(problem, kernel, grid, deviation(), transformAccuracy(options));
  if (options.crowdedSums == CrowdedSums::off) error.crowdLimit = noCrowdLimit;
  const auto cells = static_cast<std::size_t>(kernel.cells());
  const int reachX = std::max(spreadFunctions<Real>(instructionSet()).reach[cells],
                              interpolateFunctions<Real>(instructionSet()).reach[cells]);
  layout =
      makeGridLayout(problem.dims, grid, kernel.cells(), reachX, options.bins, sizeof(std::complex<Real>));
  options.bins = layout.tile;
  checkRange(layout);
}

template <class Real>
std::shared_ptr<const KernelSource<Real>> CpuPlanDesign<Real>::matrixSource() const {
  if (source) return source;
  return std::make_shared<KernelSource<Real>>(kernel, polynomial, Precomputation::tensor,
                                              polynomial.deviation);
}

template <class Real>
std::array<std::vector<double>, 3> CpuPlanDesign<Real>::factors(const NufftProblem& problem) const {
  std::array<std::vector<double>, 3> result;
  for (std::size_t d = 0; d < static_cast<std::size_t>(problem.dims); ++d)
    result[d] = deapodization(kernel, problem.size[d], grid[d]);
  return result;
}

template <class Real>
int CpuPlanDesign<Real>::interleaved(const NufftProblem& problem, std::int64_t points) const {
  if (options.interleave == 1 || problem.batch < minInterleavedImages || problem.dims == 1) return 1;
  return memory(problem, points, interleavedImages) > memoryBudget() ? 1 : interleavedImages;
}

template <class Real>
int CpuPlanDesign<Real>::sideBySide(const NufftProblem& problem) const {
  constexpr std::int64_t shortLine = 1 << 16;  // cells that one thread transforms in 0.5 ms
  constexpr std::int64_t maxBytes = std::int64_t{1} << 28;
  const std::int64_t gridBytes = layout.cells * std::int64_t{sizeof(std::complex<Real>)},
                     lines = std::min({problem.batch, std::int64_t{options.threads}, maxBytes / gridBytes});
  const bool busy = 2 * lines >= options.threads || layout.cells < shortLine;
  const bool possible = problem.dims == 1 && !sparse() && options.memoryLimit == 0;
  return possible && lines > 1 && busy ? static_cast<int>(lines) : 1;
}

template <class Real>
std::int64_t CpuPlanDesign<Real>::memoryBudget() const {
  // Sparse matrices grow far beyond grid and points.
  return options.memoryLimit > 0 ? options.memoryLimit : memoryCapacity() / (sparse() ? 2 : 4);
}

template <class Real>
std::int64_t CpuPlanDesign<Real>::gridMemory(std::int64_t points, int images) const {
  const bool stored = options.precomputation == Precomputation::tensor;
  const std::int64_t values =
      (stored ? (points * layout.dims * kernel.cells() + 2 * valueMargin) * std::int64_t{sizeof(Real)} : 0) +
      (source ? source->bytes() : 0);
  std::int64_t matrices = 0;
  if (options.interpolate == Method::sparse)
    matrices += SparseInterpolation<Real>::estimate(layout.dims, kernel.cells(), points);
  if (options.spread == Method::sparse)
    matrices += SparseSpreading<Real>::estimate(layout.dims, kernel.cells(), points, layout.cells, images);
  const bool copies = workShares(options) > 1 && options.scheduler.has(SchedulerPart::copies);
  const bool partitions = options.scheduler.kind == Scheduler::graph;
  std::int64_t cells = (copies && partitions ? 2 : 1) * gridStep();
  // Copies of wide kernels take more than the grid.
  const std::int64_t few = std::max(layout.cells, points);
  if (copies && copyCellLimit(layout, points) > few)
    cells += partitions ? copyCellLimit(layout, points) : copyCellLimit(layout, points, workShares(options));
  return matrices + images * cells * std::int64_t{sizeof(std::complex<Real>)} +
         points * pointBytes<Real>(layout.dims) +
         TileSchedule<Real>::estimateTiles(layout, points, error.crowdLimit, workShares(options), images) +
         values;
}

template <class Real>
std::int64_t CpuPlanDesign<Real>::memory(const NufftProblem& problem, std::int64_t points, int images) const {
  const std::int64_t held = gridMemory(points, images);
  if (!isToeplitz(options.normal)) return held;
  const std::int64_t form = ToeplitzOperator<Real>::estimate(
      problem, options.normal == NormalMethod::toeplitzShifted, options.toeplitzAlpha);
  const std::int64_t limit = options.memoryLimit;
  const std::int64_t left = limit > 0 ? std::max<std::int64_t>(1, limit - held - form) : 0;
  return held + form + estimatePointSpread(problem, options, points, left);
}

template <class Real>
void CpuPlanDesign<Real>::requireRoom(const NufftProblem& problem, std::int64_t points, int images,
                                      std::int64_t held) const {
  constexpr const char* summary = "Cannot plan the transform";
  const std::int64_t needed = memory(problem, points, images);
  // Sparse matrices are limited by the machine's memory even where the user gives no limit.
  checkMemory(needed, sparse() ? memoryBudget() : options.memoryLimit, summary,
              isToeplitz(options.normal) ? "Choose the gridded normal operator, or raise the limit"
                                         : "Choose a smaller oversampling ratio, or raise the limit");
  requireMemory(static_cast<double>(needed - held), summary,
                "a grid of " + sizeText(grid, problem.dims) +
                    (points > 0 ? " with " + countText(points, "point", "points") : ""),
                "Use a smaller matrix or oversampling ratio, or single precision");
}

template <class Real>
std::string describeDesign(const CpuPlanDesign<Real>& design, const GridLayout& layout) {
  const NufftOptions& o = design.options;
  std::string text = "cpu " + std::string(methodName(o.spread));
  if (o.interpolate != o.spread) text += "/" + std::string(methodName(o.interpolate));
  text += ", " + countText(o.threads, "thread") + ", " + std::string(instructionSetName(instructionSet()));
  if (o.scheduler.kind == Scheduler::graph) {
    text += ", task graph";
    if (!layout.edges[0].empty()) text += " of " + sizeText(layout.tiles, layout.dims);
    if (o.scheduler.off) text += " without " + schedulerPartsText(o.scheduler.off);
  } else {
    text += ", tiles " + sizeText(layout.tile, layout.dims);
  }
  if (o.precomputation == Precomputation::linear)
    text += ", linear table of " + std::to_string(design.source->density()) + " values a cell";
  else if (design.source)
    text += ", precomputation " + std::string(precomputationName(o.precomputation));
  if (o.crowdedSums == CrowdedSums::off) text += ", crowded points summed like the others";
  if (o.fftEffort != FftEffort::estimate)
    text += ", FFTW's plans: " + std::string(fftEffortName(o.fftEffort));
  if (o.reproducible) text += ", reproducible";
  return text;
}

std::int64_t estimateCpuMemory(const NufftProblem& problem, const NufftOptions& options,
                               std::int64_t points) {
  if (problem.precision == Precision::single) {
    return CpuPlanDesign<float>(problem, options).memory(problem, points);
  }
  return CpuPlanDesign<double>(problem, options).memory(problem, points);
}

template std::string describeDesign(const CpuPlanDesign<float>&, const GridLayout&);
template std::string describeDesign(const CpuPlanDesign<double>&, const GridLayout&);
template struct CpuPlanDesign<float>;
template struct CpuPlanDesign<double>;

}  // namespace spokelab
