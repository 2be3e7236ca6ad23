#include "engine/nufft/plan/work_terms.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "engine/core/thread_pool.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"

namespace spokelab {
namespace {

// Seconds per unit of work on one CPU thread, and on a GPU as a whole, in single precision.
struct SecondsPerUnit {
  double interpolation, fft, rest;
  // Toeplitz: padded by passes that pad and crop on their way, by plain FFTs, and shifted.
  double prunedConvolution, paddedConvolution, shiftedConvolution;
};
constexpr SecondsPerUnit cpuGuess{4e-10, 2.5e-10, 1e-9, 8e-10, 8e-10, 1e-9};
constexpr SecondsPerUnit gpuGuess{2e-12, 8e-13, 3e-12, 5e-13, 1.8e-12, 2.2e-12};
// Upper bound of cells an axis for Spokelab's passes on a GPU, in a Toeplitz form (single
// precision) in 2-D and 3-D. Passes between image and grid have other bounds.
constexpr std::int64_t maxPrunedLength = 512;
constexpr double secondsPerPassedCell = 3.8e-12;  // read or written
// In 1-D, whose kernels take 5 us first. (H100: 250 cells 7 to 12 us, 128,000 19 to 27.)
constexpr double secondsPerLineCell = 6e-11, lineOverheadCells = 1.8e5;
// Time in double over time in single precision.
constexpr double doubleFactor = 1.8;
// The cost of a point's record and polynomials, in kernel cells.
constexpr double pointOverheadCells = 24;
// The time of a slab of a 3-D window (a plane of kernel cells) on tensor cores, in cells.
constexpr double tensorSlabCells = 10, tensorSlabCellsDouble = 17.5;
// Tensor methods read (or add) a slab of a column of 16 x 16 cells once for all points that share
// it: few points under a wide kernel, whose column owns few cells, share none. On an H100 it takes
// 1.2 ns, 3 in double, 600 to 800 of the cells guessed above, which themselves take a third to
// three quarters of the guess.
constexpr int tensorColumn = 16;
constexpr double tensorColumnSlabCells = 300;
// The method sm gives a tile to a block, a thread a point: a tile of fewer points takes no less
// time, and the less so the fewer blocks a multiprocessor has shared memory for.
constexpr double multiprocessorBytes = 2e5, blockPoints = 256;
constexpr double tileCells[3] = {16, 16, 2};
// The cost of a call, in grid cells.
constexpr double callOverheadCells = 2e4;

// Guesses for setting points: seconds to sort a point, to take one over as it is, and to store one
// kernel value of it.
struct PointSeconds {
  double sort, take, value;
};
constexpr PointSeconds cpuPoints{3e-8, 3e-8, 1e-9};
constexpr PointSeconds gpuPoints{8e-11, 1e-11, 2e-10};
constexpr double pointsOverhead = 1e3;  // the fixed cost of setting points, in points
// The cost of making a plan on a CPU (memory and the FFT's plan), in transformed cells.
constexpr double planOverheadCells = 1e6;
// Seconds to make a GPU plan beside its kernel: memory, tables and streams; and cuFFT's plan for a
// grid without our passes.
constexpr double gpuPlanSeconds = 2e-4, libraryFftSeconds = 1.8e-3;
constexpr double secondsPerByte = 1e-10;     // between host and GPU
constexpr double newBytesSeconds = 1.25e-9;  // of memory that a thread is the first to write to, a byte

// Approximate additions of a transform of the grid. FFTW's lines of an odd number of pairs (250,
// 630, 750, 810) take up to twice the time per addition of lines whose length is a multiple of
// four.
double fftWork(const Index3& grid, int dims, bool cpu) {
  constexpr double oddPairs = 1.7;
  double passes = 0;
  for (std::size_t d = 0; d < std::size_t(dims); ++d)
    passes += (cpu && grid[d] % 4 != 0 ? oddPairs : 1) * std::log2(double(grid[d]) + 1);
  return double(product(grid)) * passes;
}

// Pixels and cells that the GPU's passes between image and grid move: x first, others short.
double passWork(const Index3& size, const Index3& grid, int dims) {
  double moved = 0;
  for (std::size_t axis = 0; axis < std::size_t(dims); ++axis) {
    double lines = 1;
    for (std::size_t d = 0; d < std::size_t(dims); ++d)
      if (d != axis) lines *= double(d < axis ? grid[d] : size[d]);
    moved += lines * double(size[axis] + grid[axis]);
  }
  return moved;
}

double valueBytes(const NufftProblem& problem) {
  return problem.precision == Precision::single ? sizeof(std::complex<float>) : sizeof(std::complex<double>);
}

// Kernel cells that a point costs as much as.
double windowWork(const NufftProblem& problem, Method method, double width, bool cpu) {
  if (!cpu && method == Method::tensor && problem.dims == 3)
    return std::ceil(width) *
           (problem.precision == Precision::single ? tensorSlabCells : tensorSlabCellsDouble);
  return std::pow(std::ceil(width), problem.dims) + pointOverheadCells;
}

// 3-D: slabs of columns that tensor cores read or add up, as kernel cells.
double columnWork(double width, const Index3& grid, double points) {
  const double cells = std::ceil(width), owned = std::max(1.0, tensorColumn + 1 - cells);
  return tensorColumnSlabCells * std::min(points * cells, double(product(grid)) / (owned * owned));
}

// 3-D: points whose time a tile of the method sm takes at least, over its points; at least 1.
double tileShare(const NufftProblem& problem, double width, const Index3& grid, double points) {
  double tileVolume = 1, bytes = valueBytes(problem);
  for (std::size_t d = 0; d < 3; ++d) {
    const double side = std::min(tileCells[d], double(grid[d]) / 2);
    tileVolume *= side;
    bytes *= side + std::ceil(width) - 1;
  }
  const double held = std::max(1.0, points * tileVolume / double(product(grid)));
  return std::max(1.0, blockPoints * std::min(1.0, bytes / multiprocessorBytes) / held);
}

// Kernel cells that all points cost as much as.
double gridWork(const NufftProblem& problem, Method method, double width, const Index3& grid, double points,
                bool cpu) {
  const double work = points * windowWork(problem, method, width, cpu);
  if (cpu || problem.dims < 3) return work;
  if (method == Method::tensor) return work + columnWork(width, grid, points);
  return method == Method::subproblem ? work * tileShare(problem, width, grid, points) : work;
}

// True if the methods of a direction take points in the given order.
bool takesAnyOrder(const NufftOptions& options, Direction direction) {
  return (direction == Direction::adjoint || options.interpolate == Method::pointDriven) &&
         (direction == Direction::forward || options.spread == Method::pointDriven);
}

double storedValues(const NufftProblem& problem, const NufftOptions& options) {
  if (storesMatrix(options.spread) || storesMatrix(options.interpolate))
    return std::pow(std::ceil(options.width), problem.dims);
  return options.precomputation == Precomputation::tensor ? problem.dims * std::ceil(options.width) : 0;
}

// Seconds per cell of kernel width, on one thread, to fit polynomials to a kernel, sample its
// transform and predict its error.
double kernelSecondsPerCell(KernelType kernel) {
  switch (kernel) {
    case KernelType::semicircle:
      return 6.5e-5;
    case KernelType::prolate:
      return 1.4e-4;
    default:
      return 3e-5;
  }
}

// Making a plan, in guessed seconds: what is learnt is how far off they are.
WorkTerm planTerm(const NufftOptions& options, const Index3& grid, bool cpu, bool passes,
                  const std::string& key) {
  const double kernel = options.width * kernelSecondsPerCell(options.kernel);
  if (cpu) return {key + "plan", kernel + cpuGuess.fft * (double(product(grid)) + planOverheadCells), 1};
  return {key + (passes ? "plan of passes" : "plan"),
          kernel + gpuPlanSeconds + (passes ? 0 : libraryFftSeconds), 1};
}

std::string pointsKey(const NufftOptions& options, Direction direction) {
  std::string key = "points " + std::string(methodName(options.spread)) + ' ' +
                    std::string(methodName(options.interpolate)) + ' ' +
                    std::string(precomputationName(options.precomputation)) + ' ' +
                    std::string(schedulerName(options.scheduler.kind));
  if (direction == Direction::normal) key += ' ' + std::string(normalMethodName(options.normal));
  return key;
}

}  // namespace

WorkTerms workTerms(const NufftProblem& problem, const std::string& backend, const NufftOptions& options,
                    const Index3& grid, Direction direction, std::int64_t points) {
  const double batch = double(problem.batch);
  const double cells = double(product(grid));
  const bool forward = direction != Direction::adjoint, adjoint = direction != Direction::forward;
  const double transforms = double(forward) + double(adjoint);

  const bool cpu = backend == "cpu";
  const bool single = problem.precision == Precision::single;
  const int threads = options.reproducible || options.threads > 0 ? workShares(options) : hardwareThreads();
  const SecondsPerUnit guess = cpu ? cpuGuess : gpuGuess;
  const double factor = (single ? 1 : doubleFactor) / (cpu ? threads : 1);
  const std::string key = backend + " " + std::to_string(problem.dims) + (single ? " float " : " double ") +
                          (cpu ? std::to_string(threads) + " " : "");
  WorkTerms t;
  const PointSeconds perPoint = cpu ? cpuPoints : gpuPoints;
  const double pointFactor = 1 / double(cpu ? threads : 1);
  const double values = storedValues(problem, options);
  const double ofPoint =
      (takesAnyOrder(options, direction) ? perPoint.take : perPoint.sort) + values * perPoint.value;
  t.points = {key + pointsKey(options, direction), (double(points) + pointsOverhead) * (1 + values),
              pointFactor * ofPoint / (1 + values)};
  const bool passes = hasPassesOn(backend, problem, grid);
  t.plan = planTerm(options, grid, cpu, passes, key);
  if (!cpu) {
    const double images = direction == Direction::normal || direction == Direction::both ? 2 : 1;
    const double samples = direction == Direction::normal ? 0 : transforms;
    t.transfer = {
        key + "transfer " + std::string(directionName(direction)),
        valueBytes(problem) * batch * (images * double(problem.pixels()) + samples * double(points)),
        secondsPerByte};
  }
  if (direction == Direction::normal && isToeplitz(options.normal)) {
    const bool shifted = options.normal == NormalMethod::toeplitzShifted;
    const Index3 lengths = shifted ? problem.size : toeplitzLengths(problem, options.toeplitzAlpha);
    const double length = double(product(lengths));
    const bool pruned =
        single && problem.dims > 1 && *std::max_element(lengths.begin(), lengths.end()) <= maxPrunedLength;
    const double convolution = shifted  ? guess.shiftedConvolution
                               : pruned ? guess.prunedConvolution
                                        : guess.paddedConvolution;
    const double shifts = shifted ? std::pow(2, problem.dims) : 1;
    // The point spread function takes an adjoint over twice the image in each dimension, with a
    // wider kernel, points that are sorted for it, memory that is new each time, and the transform
    // of what it is convolved with.
    const double spreadCells = std::pow(2, problem.dims) * cells;
    const double widerWindow = std::pow(std::ceil(options.width) + 1, problem.dims) + pointOverheadCells;
    double psfSeconds =
        factor *
        (guess.interpolation * double(points) * widerWindow +
         guess.fft * (spreadCells * std::log2(spreadCells + 1) + shifts * length * std::log2(length + 1)));
    psfSeconds += pointFactor * perPoint.sort * double(points);
    if (cpu)
      psfSeconds += valueBytes(problem) * (spreadCells + shifts * length) * newBytesSeconds / threads;
    else  // a plan for that adjoint, and the convolution's own
      psfSeconds += gpuPlanSeconds + libraryFftSeconds + (pruned ? 0 : libraryFftSeconds);
    t.points.guessedSecondsPerUnit += psfSeconds / t.points.work;
    t.fft = {key + std::string(normalMethodName(options.normal)),
             batch * shifts * length * std::log2(length + 1), factor * convolution};
    return t;
  }
  t.spread = {
      key + "spread " + std::string(methodName(options.spread)),
      adjoint ? batch * gridWork(problem, options.spread, options.width, grid, double(points), cpu) : 0,
      factor * guess.interpolation};
  t.interpolate = {
      key + "interpolate " + std::string(methodName(options.interpolate)),
      forward ? batch * gridWork(problem, options.interpolate, options.width, grid, double(points), cpu) : 0,
      factor * guess.interpolation};
  t.spread.scaledWith = t.interpolate.scaledWith = key + "kernels";
  // Passes deapodize on their way.
  if (passes && problem.dims == 1)
    t.fft = {key + "passes", transforms * (lineOverheadCells + batch * passWork(problem.size, grid, 1)),
             factor * secondsPerLineCell};
  else if (passes)
    t.fft = {key + "passes", transforms * batch * passWork(problem.size, grid, problem.dims),
             factor * secondsPerPassedCell};
  else
    t.fft = {key + "fft", transforms * batch * fftWork(grid, problem.dims, cpu), factor * guess.fft};
  t.rest = {key + (passes ? "rest of passes " : "rest ") + std::string(directionName(direction)),
            transforms * (batch * cells + callOverheadCells), factor * guess.rest};
  return t;
}

double guessedSeconds(const WorkTerms& terms) {
  double seconds = 0;
  for (const WorkTerm* term : {&terms.spread, &terms.interpolate, &terms.fft, &terms.rest})
    seconds += term->work * term->guessedSecondsPerUnit;
  return seconds;
}

}  // namespace spokelab
