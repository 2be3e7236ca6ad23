#include "cuda/nufft/plan/design.h"

#include <algorithm>
#include <limits>

#include "cuda/nufft/fft/grid_fft.h"
#include "cuda/nufft/points/point_sets.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/spread/kernels/kernel_source.h"

namespace spokelab::gpu {
namespace {

constexpr std::int64_t maxImagesPerPass = 16;  // more gain nothing
// Upper bound of the oversampled grids of a pass of several images.
constexpr std::int64_t maxPassBytes = std::int64_t(2) << 30;
// The same for convolutions, whose images share nothing, and whose own grids are larger: the device
// is busy with one such image, and taking and freeing memory would cost more than fewer passes
// save.
constexpr std::int64_t maxConvolutionPassBytes = std::int64_t(1) << 28;
// Limits of one pass over several sets of points. A pass must keep the device busy for longer than
// its launches take; larger passes would push the grids out of the caches.
constexpr std::int64_t maxSetsPassBytes = std::int64_t(64) << 20, maxSetsPassImages = 4096;
// Only an exhaustive search times methods ranked slower than this many times the best.
constexpr double skipIfRankedSlower = 12;
constexpr const char* cannotPlan = "Cannot plan the transform on the GPU";

template <class Real>
constexpr bool isDouble = std::is_same_v<Real, double>;

template <class Real>
const MethodFactory<Real>* chosen(const MethodSetup<Real>& setup, Method& method, GridDirection direction) {
  const char* const doing = direction == GridDirection::spread ? "spreading" : "interpolation";
  if (method == Method::automatic) {
    const auto ranked = rankedFactories(setup, direction);
    if (ranked.empty())
      throw Error(cannotPlan, std::string("no method of ") + doing + " serves it", "Use the CPU");
    method = ranked.front()->method;
    return ranked.front();
  }
  const auto* factory = findMethod<Real>(method, direction);
  const std::string name = "the method \"" + std::string(methodName(method)) + "\"";
  if (!factory)
    throw Error(cannotPlan,
                name + " is not there for " + doing + " in " + (isDouble<Real> ? "double" : "single") +
                    " precision on the GPU",
                "Choose \"auto\"");
  const std::string refusal = factory->refusalOf(setup);
  if (!refusal.empty()) throw Error(cannotPlan, name + " cannot serve it: " + refusal, "Choose \"auto\"");
  return factory;
}

// The method of a direction that was left open beside the chosen method of the other one: it takes
// the order of points that is there already. The fastest by itself may want another sort, or a
// matrix, made whenever points are set, for executions that may never come.
template <class Real>
const MethodFactory<Real>* beside(const MethodSetup<Real>& setup, Method other, GridDirection direction) {
  // `subproblem` would build tasks again, so gm-sort takes its place.
  const Method first = other == Method::subproblem ? Method::pointSorted : other;
  for (const Method method : {first, Method::pointSorted}) {
    const auto* factory = findMethod<Real>(method, direction);
    if (factory && !storesMatrix(method) && factory->refusalOf(setup).empty()) return factory;
  }
  for (const auto* factory : rankedFactories(setup, direction))
    if (!storesMatrix(factory->method)) return factory;
  return nullptr;
}

NufftOptions resolveForGpu(const NufftProblem& problem, const NufftOptions& asked) {
  NufftOptions options = resolveOptions(problem, asked);
  if (options.precomputation == Precomputation::automatic)
    options.precomputation = Precomputation::polynomial;
  if (options.precomputation != Precomputation::polynomial &&
      options.precomputation != Precomputation::linear)
    throw Error(cannotPlan,
                "the precomputation \"" + std::string(precomputationName(options.precomputation)) +
                    "\" does not run on the GPU",
                "Choose \"auto\", \"polynomial\" or \"linear\", or the CPU");
  return options;
}

void requireInt(const NufftProblem& problem, const Index3& grid) {
  for (std::size_t d = 0; d < 3; ++d)
    if (grid[d] > std::numeric_limits<int>::max() / 2)
      throw Error(cannotPlan, "a grid of " + std::to_string(grid[d]) + " cells in one dimension",
                  "Use a smaller image");
  // Beyond it sizes would overflow before memory is asked for.
  constexpr double maxBytes = 1e15;
  double bytes = 16.0 * double(problem.batch);
  for (const std::int64_t n : grid) bytes *= double(n);
  if (bytes > maxBytes)
    throw Error(cannotPlan, "the image is far larger than any memory", "Use a smaller image");
}

}  // namespace

template <class Real>
std::vector<const MethodFactory<Real>*> rankedFactories(const MethodSetup<Real>& setup,
                                                        GridDirection direction) {
  std::vector<const MethodFactory<Real>*> usable;
  for (const auto& factory : methodFactories<Real>())
    if (factory.direction == direction && factory.refusalOf(setup).empty()) usable.push_back(&factory);
  std::stable_sort(usable.begin(), usable.end(),
                   [&](const auto* a, const auto* b) { return a->rank(setup) < b->rank(setup); });
  return usable;
}

template <class Real>
MethodSetup<Real> methodSetup(const DeviceInfo& device, const NufftProblem& problem,
                              const NufftOptions& resolved, std::shared_ptr<const Kernel>& kernel,
                              Index3& grid, KernelPolynomial& polynomial) {
  kernel = std::make_shared<const Kernel>(resolved.kernel, resolved.width, resolved.alpha);
  grid = gridSizeOn(gpuBackend, problem, resolved.alpha, resolved.width, resolved.axisAlpha);
  requireInt(problem, grid);
  polynomial = fitKernel(*kernel, polynomialTolerance(problem, *kernel, grid, transformAccuracy(resolved)));
  MethodSetup<Real> setup;
  setup.dims = problem.dims;
  for (std::size_t d = 0; d < 3; ++d) setup.grid[d] = int(grid[d]);
  setup.width = resolved.width;
  setup.accuracy = transformAccuracy(resolved);
  const PredictedError error = predictError(problem, *kernel, grid, polynomial.deviation);
  setup.predicted = error.bound;
  setup.rounding = error.roundingOfFewTerms;
  setup.noiseGain = error.noiseGain;
  setup.kernel = kernel;
  setup.table = kernelTable<Real>(polynomial);
  setup.linear = resolved.precomputation == Precomputation::linear;
  setup.bins = resolved.bins;
  setup.maxSubproblem = resolved.maxSubproblem;
  setup.device = device.limits;
  setup.reproducible = resolved.reproducible;
  setup.splitsCrowds = resolved.crowdedSums != CrowdedSums::off;
  setup.limited = resolved.memoryLimit > 0;
  return setup;
}

template <class Real>
GpuPlanDesign<Real>::GpuPlanDesign(const DeviceInfo& device, const NufftProblem& problem,
                                   const NufftOptions& asked, bool equalPasses)
    : options(resolveForGpu(problem, asked)) {
  setup = methodSetup<Real>(device, problem, options, kernel, grid, polynomial);
  setup.sets = std::max<std::int64_t>(problem.sets, 1);
  double deviation = polynomial.deviation;
  if (setup.linear) {
    const KernelSource<Real> source(*kernel, polynomial, Precomputation::linear,
                                    polynomialTolerance(problem, *kernel, grid, transformAccuracy(options)));
    lines.assign(source.table().begin(), source.table().end());
    setup.table.density = source.density();
    deviation = source.deviation();
  }
  error = predictError(problem, *kernel, grid, deviation);
  setup.predicted = error.bound;
  chooseMethods(options.spread, options.interpolate);
  const std::array<int, 3> size{int(problem.size[0]), int(problem.size[1]), int(problem.size[2])};
  fftWork = GridFft<Real>::estimate(problem.dims, size, setup.grid, 1, setup.device.sharedPerBlock);
  choosePasses(problem, equalPasses);
  const std::int64_t needed = memory(problem, 0);
  if (options.memoryLimit > 0 && needed > options.memoryLimit)
    throw Error(cannotPlan,
                "it takes " + megabytesText(needed) + ", the limit is " + megabytesText(options.memoryLimit),
                "Choose a smaller oversampling ratio, or raise the limit");
  if (needed > device.memory)
    throw Error(cannotPlan,
                "it takes " + megabytesText(needed) + ", the GPU has " + megabytesText(device.memory),
                "Choose a smaller oversampling ratio, single precision, or the CPU");
}

template <class Real>
void GpuPlanDesign<Real>::chooseMethods(Method spreading, Method interpolation) {
  const bool spreads = spreading != Method::automatic, interpolates = interpolation != Method::automatic;
  if (interpolates && !spreads) {
    interpolate = chosen(setup, options.interpolate, GridDirection::interpolate);
    spread = beside(setup, interpolation, GridDirection::spread);
  } else if (spreads && !interpolates) {
    spread = chosen(setup, options.spread, GridDirection::spread);
    interpolate = beside(setup, spreading, GridDirection::interpolate);
  }
  if (!spread) spread = chosen(setup, options.spread, GridDirection::spread);
  if (!interpolate) interpolate = chosen(setup, options.interpolate, GridDirection::interpolate);
  // gm-sort accepts any bins. It uses the bins of the other direction, so points are sorted once.
  const auto share = [&](const auto* any, const auto* binned, GridDirection direction) {
    if (any->method != Method::pointSorted || binned->method == Method::pointSorted || !binned->bins) return;
    for (std::size_t d = 0; d < 3; ++d) sharedBins[d] = binned->bins(setup)[d];
    sharing_ = direction;
  };
  share(spread, interpolate, GridDirection::spread);
  share(interpolate, spread, GridDirection::interpolate);
  spreadsLater =
      interpolates && !spreads &&
      (spread->method == interpolate->method || (sharing_ == GridDirection::spread && sharedBins[0] > 0));
  options.spread = spread->method;
  options.interpolate = interpolate->method;
}

template <class Real>
MethodSetup<Real> GpuPlanDesign<Real>::setupOf(GridDirection direction) const {
  MethodSetup<Real> directionSetup = setup;
  if (direction == sharing_ && sharedBins[0] > 0) directionSetup.bins = sharedBins;
  return directionSetup;
}

template <class Real>
void GpuPlanDesign<Real>::choosePasses(const NufftProblem& problem, bool equal) {
  const std::int64_t image = setup.cells() * std::int64_t(sizeof(Complex<Real>));
  const auto fits = [&] { return options.memoryLimit == 0 || memory(problem, 0) <= options.memoryLimit; };
  // Half of what is allowed is left for the points of all sets.
  const auto leavesRoom = [&] {
    return options.memoryLimit == 0 || memory(problem, 0) <= options.memoryLimit / 2;
  };
  if (setup.sets > 1) {
    setup.batch = problem.batch;
    const std::int64_t maxSets = std::min(maxSetsPassBytes / image, maxSetsPassImages) / problem.batch;
    for (std::int64_t passes = 1; passes <= setup.sets; ++passes) {
      setsPerPass = (setup.sets + passes - 1) / passes;
      imagesPerPass = setsPerPass * problem.batch;
      if (setsPerPass == 1 || (setsPerPass <= maxSets && leavesRoom())) break;
    }
    return;
  }
  const std::int64_t mostBytes = isToeplitz(options.normal) ? maxConvolutionPassBytes : maxPassBytes;
  for (std::int64_t passes = 1; passes <= problem.batch; ++passes) {
    imagesPerPass = (problem.batch + passes - 1) / passes;
    if (imagesPerPass == 1) break;
    const bool allowed = imagesPerPass <= maxImagesPerPass && imagesPerPass * image <= mostBytes;
    if (allowed && (!equal || problem.batch % imagesPerPass == 0) && fits()) break;
  }
  setup.batch = imagesPerPass;
}

template <class Real>
std::int64_t GpuPlanDesign<Real>::memory(const NufftProblem& problem, std::int64_t points) const {
  const std::int64_t value = sizeof(Complex<Real>);
  const std::int64_t grids = imagesPerPass * setup.cells() * value;
  std::int64_t methods = 0;
  if (points > 0) {
    const bool same = interpolate->method == spread->method && !storesMatrix(spread->method);
    const auto shares = [&](GridDirection direction) { return sharedBins[0] > 0 && sharing_ == direction; };
    if (!shares(GridDirection::spread)) methods = spread->memory(setup, points);
    if (!same && !shares(GridDirection::interpolate)) methods += interpolate->memory(setup, points);
  }
  const std::int64_t coordinates = points * problem.dims * std::int64_t(sizeof(double));
  const std::int64_t images = imagesPerPass / setsPerPass;  // of a set
  const std::int64_t passPoints = setup.sets > 1 ? points / setup.sets * setsPerPass : points;
  const std::int64_t staging =
      2 * std::max(imagesPerPass * problem.pixels(), images * passPoints) * value;  // either way round
  return grids + imagesPerPass * fftWork + methods + coordinates + staging +
         DeviceSets::estimate(setup.sets, points);
}

std::int64_t estimateMemory(const DeviceInfo& device, const NufftProblem& problem,
                            const NufftOptions& options, std::int64_t points) {
  NufftOptions open = options;
  open.memoryLimit = 0;
  if (problem.precision == Precision::double64)
    return GpuPlanDesign<double>(device, problem, open).memory(problem, points);
  return GpuPlanDesign<float>(device, problem, open).memory(problem, points);
}

namespace {

template <class Real>
std::vector<Method> ranked(const DeviceInfo& device, const NufftProblem& problem, const NufftOptions& options,
                           bool spread, bool all) {
  std::shared_ptr<const Kernel> kernel;
  Index3 grid{};
  KernelPolynomial polynomial;
  const auto setup =
      methodSetup<Real>(device, problem, resolveForGpu(problem, options), kernel, grid, polynomial);
  std::vector<Method> methods;
  const Method requestedMethod = spread ? options.spread : options.interpolate;
  const auto factories = rankedFactories(setup, spread ? GridDirection::spread : GridDirection::interpolate);
  // A stored matrix is read once for several images.
  constexpr std::int64_t imagesOfMatrix = 4;
  const auto rank = [&](const auto* factory) {
    const auto images = storesMatrix(factory->method) ? std::min(problem.batch, imagesOfMatrix) : 1;
    return factory->rank(setup) / double(images);
  };
  for (const auto* factory : factories)
    if (requestedMethod == Method::automatic
            ? all || rank(factory) <= skipIfRankedSlower * factories.front()->rank(setup)
            : factory->method == requestedMethod)
      methods.push_back(factory->method);
  return methods;
}

}  // namespace

std::vector<Method> rankedMethods(const DeviceInfo& device, const NufftProblem& problem,
                                  const NufftOptions& options, bool spread, bool all) {
  return problem.precision == Precision::double64 ? ranked<double>(device, problem, options, spread, all)
                                                  : ranked<float>(device, problem, options, spread, all);
}

template struct GpuPlanDesign<float>;
template struct GpuPlanDesign<double>;

}  // namespace spokelab::gpu
