#include "engine/nufft/tune/candidates.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/schedule/partition.h"
#include "engine/nufft/spread/kernels/spread_interleaved.h"
#include "engine/nufft/toeplitz/toeplitz.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"
#include "engine/nufft/tune/cost_model.h"

namespace spokelab {
namespace {

struct Pair {
  double alpha, width;
  KernelType kernel = KernelType::kaiserBessel;
};

// W for alpha with one kernel, whatever is fixed; 0 where none meets the accuracy.
double admissibleWidth(const NufftProblem& problem, const NufftOptions& options, double alpha) {
  if (options.width == 0) return smallestWidth(problem, options.kernel, alpha, options.accuracy);
  if (!Kernel::defined(options.kernel, options.width, alpha)) return 0;
  const Kernel kernel(options.kernel, options.width, alpha);
  const Index3 grid = gridSize(problem, alpha, options.width);
  return predictError(problem, kernel, grid, 0).bound <= options.accuracy ? options.width : 0;
}

// (alpha, W) pairs that meet the accuracy with one kernel. worth(alpha): whether its search is.
template <class Worth>
std::vector<Pair> admissiblePairs(const NufftProblem& problem, NufftOptions options, const Worth& worth) {
  options.kernel = settledKernel(options.kernel);
  const std::vector<double> alphas = options.alpha != 0 ? std::vector{options.alpha} : fastAlphas(problem);
  std::vector<double> widths(alphas.size(), 0);
  parallelTasks(std::int64_t(alphas.size()), options.threads, [&](std::int64_t task) {
    const auto i = std::size_t(task);
    if (worth(alphas[i])) widths[i] = admissibleWidth(problem, options, alphas[i]);
  });
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < alphas.size(); ++i)
    if (widths[i] > 0) pairs.push_back({alphas[i], widths[i], options.kernel});
  return pairs;
}

// The same with the kernel open. The time of a point depends on the cells that it touches, not on the kernel's form: at
// each alpha one other than Kaiser-Bessel comes in where it touches fewer. An exhaustive search times them all.
std::vector<Pair> tunedPairs(const NufftBackend& backend, const TuneRequest& request) {
  const NufftProblem& problem = request.problem;
  NufftOptions options = request.options;
  std::vector<Pair> pairs = admissiblePairs(problem, options, [](double) { return true; });
  if (pairs.empty()) {  // what resolveOptions settles on, possibly beyond the tuner's alphas; or its refusal
    const NufftOptions settled = resolveOptions(problem, options);
    pairs.push_back({settled.alpha, settled.width, settled.kernel});
  }
  if (request.options.kernel != KernelType::automatic) return pairs;
  // Elsewhere a method may serve some kernels alone: what is narrower then stands beside, and replaces nothing.
  const bool all = request.effort == TuneEffort::exhaustive, replaces = backend.name() == "cpu";
  for (const KernelType kernel : {KernelType::semicircle, KernelType::prolate}) {
    options.kernel = kernel;
    const auto at = [&](double alpha) {
      return std::find_if(pairs.begin(), pairs.end(), [&](const Pair& p) { return p.alpha == alpha; });
    };
    const auto mayBeNarrower = [&](double alpha) {
      const auto same = at(alpha);
      return all || same == pairs.end() ||
             (options.width == 0 &&
              meetsAccuracy(problem, kernel, alpha, std::ceil(same->width) - 1, options.accuracy));
    };
    std::vector<Pair> added;
    for (const Pair& other : admissiblePairs(problem, options, mayBeNarrower)) {
      const auto same = at(other.alpha);
      if (all || same == pairs.end() || !replaces)
        added.push_back(other);
      else
        *same = other;
    }
    pairs.insert(pairs.end(), added.begin(), added.end());
  }
  return pairs;
}

struct Methods {
  Method spread, interpolate;
};

// Methods to time: only those of the direction vary.
std::vector<Methods> methodPairs(const NufftBackend& backend, const TuneRequest& request) {
  std::vector<Method> spread = backend.spreadMethods(request.problem, request.options);
  std::vector<Method> interpolate = backend.interpolateMethods(request.problem, request.options);
  if (spread.empty() || interpolate.empty()) return {};
  if (request.direction == Direction::forward) spread.resize(1);
  if (request.direction == Direction::adjoint) interpolate.resize(1);
  std::vector<Methods> pairs;
  for (const Method s : spread)
    for (const Method i : interpolate) pairs.push_back({s, i});
  return pairs;
}

// The normal operators of a backend: over each grid, or as a convolution, which no grid matters to: it goes with the one
// that should be cheapest.
void addNormalForms(const NufftBackend& backend, const TuneRequest& request,
                    const std::vector<Candidate>& gridded, std::vector<Candidate>& candidates) {
  constexpr std::size_t mostRatios = 6;
  const auto add = [&](Candidate c, NormalMethod normal, double toeplitzAlpha) {
    c.options.normal = normal;
    c.options.toeplitzAlpha = toeplitzAlpha;
    c.predictedSeconds = CostModel::shared().predict(request, c);
    candidates.push_back(std::move(c));
  };
  const double asked = request.options.toeplitzAlpha;
  for (const NormalMethod normal : backend.normalMethods(request.problem, request.options)) {
    if (!isToeplitz(normal)) {
      for (const Candidate& c : gridded) add(c, normal, asked);
      continue;
    }
    std::vector<Candidate> plain = gridded;
    for (Candidate& c : plain) {
      c.options.normal = NormalMethod::gridded;
      c.predictedSeconds = CostModel::shared().predict(request, c);
    }
    const Candidate cheapest = *std::min_element(
        plain.begin(), plain.end(),
        [](const Candidate& a, const Candidate& b) { return a.predictedSeconds < b.predictedSeconds; });
    const bool open = normal == NormalMethod::toeplitz && asked == 0;
    if (open && request.effort == TuneEffort::exhaustive)
      for (const double alpha : toeplitzAlphas(request.problem, mostRatios)) add(cheapest, normal, alpha);
    else
      add(cheapest, normal, asked);
  }
}

}  // namespace

Candidate makeCandidate(NufftBackend& backend, const TuneRequest& request, double alpha, double width,
                        Method spread, Method interpolate) {
  Candidate c;
  c.backend = backend.name();
  c.options = request.options;
  c.options.alpha = alpha;
  c.options.width = width;
  c.options.spread = spread;
  c.options.interpolate = interpolate;
  c.grid = gridSize(request.problem, alpha, width);
  if (!Kernel::defined(c.options.kernel, width, alpha)) {
    c.refused = "the kernel is not defined at this width and oversampling";
    return c;
  }
  const Kernel kernel(c.options.kernel, width, alpha);
  const double deviation = polynomialTolerance(request.problem, kernel, c.grid, c.options.accuracy);
  c.predicted = predictError(request.problem, kernel, c.grid, deviation);
  c.predictedSeconds = CostModel::shared().predict(request, c);
  return c;
}

std::vector<Candidate> enumerateCandidates(std::span<NufftBackend* const> backends,
                                           const TuneRequest& request) {
  std::vector<Candidate> candidates;
  for (NufftBackend* backend : backends) {
    std::vector<Candidate> gridded;
    const std::vector<Pair> pairs = tunedPairs(*backend, request);
    for (const KernelType kernel :
         {KernelType::kaiserBessel, KernelType::semicircle, KernelType::prolate, KernelType::gaussian}) {
      TuneRequest settled = request;
      settled.options.kernel = kernel;
      if (std::none_of(pairs.begin(), pairs.end(), [&](const Pair& p) { return p.kernel == kernel; }))
        continue;
      for (const Methods& m : methodPairs(*backend, settled))
        for (const Pair& p : pairs)
          if (p.kernel == kernel)
            gridded.push_back(makeCandidate(*backend, settled, p.alpha, p.width, m.spread, m.interpolate));
    }
    if (request.direction == Direction::normal && !gridded.empty())
      addNormalForms(*backend, request, gridded, candidates);
    else
      candidates.insert(candidates.end(), gridded.begin(), gridded.end());
  }
  if (candidates.empty())
    throw Error(
        "There is no plan to choose from",
        backends.empty() ? "no backend is present" : "no backend here has the method that was asked for",
        "Leave method and backend to the tuner");
  return candidates;
}

namespace {

// Other sources of kernel values than polynomials.
std::vector<NufftOptions> otherPrecomputations(const TuneRequest& request, const Candidate& best) {
  std::vector<NufftOptions> variants;
  const bool open = request.options.precomputation == Precomputation::automatic;
  const bool convolves = request.direction == Direction::normal && isToeplitz(best.options.normal);
  if (convolves) return variants;
  if (best.backend != "cpu") {
    NufftOptions linear = best.options;
    linear.precomputation = Precomputation::linear;
    // The direction that is not timed takes what serves.
    if (request.direction == Direction::forward) linear.spread = request.options.spread;
    if (request.direction == Direction::adjoint) linear.interpolate = request.options.interpolate;
    if (open && linear.spread != Method::tensor && linear.interpolate != Method::tensor)
      variants.push_back(linear);
    return variants;
  }
  if (request.effort == TuneEffort::exhaustive) {  // full precomputation, where memory allows it
    const bool spreads =
        request.direction != Direction::forward && request.options.spread == Method::automatic;
    const bool interpolates =
        request.direction != Direction::adjoint && request.options.interpolate == Method::automatic;
    if (spreads || interpolates) {
      variants.push_back(best.options);
      if (spreads) variants.back().spread = Method::sparse;
      if (interpolates) variants.back().interpolate = Method::sparse;
    }
    if (spreads && interpolates) {
      variants.push_back(best.options);
      variants.back().interpolate = Method::sparse;
    }
  }
  if (!open) return variants;
  for (const Precomputation p : {Precomputation::tensor, Precomputation::linear, Precomputation::none}) {
    // On a CPU the others have never won.
    if (p != Precomputation::tensor && request.effort != TuneEffort::exhaustive) continue;
    variants.push_back(best.options);
    variants.back().precomputation = p;
  }
  return variants;
}

constexpr int maxPartitions = 64;  // a dimension

// The task graph beside the tiles, where there are threads to schedule; with other partitions where it is the best so
// far, or exhaustively.
void addSchedulers(const TuneRequest& request, const Candidate& best, std::vector<NufftOptions>& variants) {
  const SchedulerChoice& asked = request.options.scheduler;
  const int threads = request.options.threads > 0 ? request.options.threads : hardwareThreads();
  const bool convolves = request.direction == Direction::normal && isToeplitz(best.options.normal);
  if (best.backend != "cpu" || request.direction == Direction::forward || convolves || threads < 2 ||
      best.options.spread == Method::sparse || asked.kind == Scheduler::tiles)
    return;
  const auto add = [&](int partitions) {
    variants.push_back(best.options);
    variants.back().scheduler = {Scheduler::graph, asked.off, partitions};
  };
  const SchedulerChoice& present = best.options.scheduler;
  if (asked.kind == Scheduler::automatic) add(asked.partitions);
  if (asked.partitions != 0) return;
  if (present.kind != Scheduler::graph && request.effort != TuneEffort::exhaustive) return;
  const auto usual = static_cast<int>(partitionsFor(request.problem.dims, threads));
  const int now = present.partitions > 0 ? present.partitions : usual;
  for (const int partitions : {now * 2, now / 2})
    if (partitions > 1 && partitions <= maxPartitions) add(partitions == usual ? 0 : partitions);
}

// Images of a batch one by one, where they would be transformed together.
void addWithoutInterleaving(const TuneRequest& request, const Candidate& best,
                            std::vector<NufftOptions>& variants) {
  const bool convolves = request.direction == Direction::normal && isToeplitz(best.options.normal);
  if (best.backend != "cpu" || convolves || request.problem.dims == 1 ||
      request.problem.batch < minInterleavedImages || request.options.interleave != 0)
    return;
  variants.push_back(best.options);
  variants.back().interleave = 1;
}

// Longer circles of the padded Toeplitz form, which may be faster. The CPU's are compared before it is timed.
void addToeplitzRatios(const TuneRequest& request, const Candidate& best,
                       std::vector<NufftOptions>& variants) {
  constexpr std::size_t mostRatios = 6;
  if (best.backend == "cpu" || request.direction != Direction::normal || request.options.toeplitzAlpha != 0 ||
      best.options.normal != NormalMethod::toeplitz || request.effort == TuneEffort::exhaustive)
    return;
  for (const double alpha : toeplitzAlphas(request.problem, mostRatios)) {
    if (alpha == best.options.toeplitzAlpha) continue;
    variants.push_back(best.options);
    variants.back().toeplitzAlpha = alpha;
  }
}

// Tiles of other sizes, where no partitions follow the points.
void addTiles(const TuneRequest& request, const Candidate& best, std::vector<NufftOptions>& variants) {
  const bool blocked =
      (request.direction != Direction::forward && best.options.spread == Method::blocked) ||
      (request.direction != Direction::adjoint && best.options.interpolate == Method::blocked);
  const bool convolves = request.direction == Direction::normal && isToeplitz(best.options.normal);
  if (!blocked || convolves || request.options.bins != Index3{0, 0, 0} ||
      best.options.scheduler.kind == Scheduler::graph)
    return;
  const std::vector<Index3> tiles =
      request.problem.dims == 1   ? std::vector<Index3>{{1024, 1, 1}, {16384, 1, 1}}
      : request.problem.dims == 2 ? std::vector<Index3>{{32, 32, 1}, {64, 16, 1}, {128, 32, 1}, {32, 16, 1}}
                                  : std::vector<Index3>{{32, 16, 8}, {16, 16, 16}, {64, 16, 16}, {32, 8, 8}};
  const std::size_t tried = request.effort == TuneEffort::exhaustive ? tiles.size() : 1;
  for (std::size_t i = 0; i < tried; ++i) {
    variants.push_back(best.options);
    variants.back().bins = tiles[i];
  }
}

// Bins and subproblems of the GPU's methods that have them.
void addBins(const TuneRequest& request, const Candidate& best, std::vector<NufftOptions>& variants) {
  const auto hasBins = [](Method m) {
    return m == Method::pointSorted || m == Method::subproblem || m == Method::sector ||
           m == Method::fixedPoint || m == Method::outputDriven;
  };
  const bool spreads = request.direction != Direction::forward && hasBins(best.options.spread),
             interpolates = request.direction != Direction::adjoint && hasBins(best.options.interpolate);
  if (!spreads && !interpolates) return;
  const NufftOptions& asked = request.options;
  if (asked.bins == Index3{0, 0, 0}) {
    const std::vector<Index3> bins =
        request.problem.dims == 1   ? std::vector<Index3>{{256, 1, 1}, {4096, 1, 1}}
        : request.problem.dims == 2 ? std::vector<Index3>{{16, 16, 1}, {64, 16, 1}, {64, 64, 1}}
                                    : std::vector<Index3>{{8, 8, 8}, {16, 16, 2}, {16, 8, 8}, {32, 8, 4}};
    for (const Index3& bin : bins) {
      variants.push_back(best.options);
      variants.back().bins = bin;
    }
  }
  if (asked.maxSubproblem == 0)
    for (const int points : {512, 2048, 8192}) {
      variants.push_back(best.options);
      variants.back().maxSubproblem = points;
    }
}

}  // namespace

std::vector<NufftOptions> refinements(const TuneRequest& request, const Candidate& best) {
  std::vector<NufftOptions> variants = otherPrecomputations(request, best);
  addSchedulers(request, best, variants);
  if (best.backend == "cpu")
    addTiles(request, best, variants);
  else
    addBins(request, best, variants);
  addWithoutInterleaving(request, best, variants);
  addToeplitzRatios(request, best, variants);
  return variants;
}

NufftBackend* backendNamed(std::span<NufftBackend* const> backends, const std::string& name) {
  for (NufftBackend* b : backends)
    if (b->name() == name) return b;
  return nullptr;
}

std::string describe(const Candidate& c) {
  constexpr int digits = 3;
  std::string s = "α " + numberText(c.options.alpha, digits) + ", W " + numberText(c.options.width, digits) +
                  ", " + c.backend + " " + std::string(methodName(c.options.spread));
  if (c.options.interpolate != c.options.spread) s += "/" + std::string(methodName(c.options.interpolate));
  const Precomputation precomputation = c.options.precomputation;
  if (precomputation != Precomputation::automatic && precomputation != Precomputation::polynomial)
    s += ", " + std::string(precomputationName(precomputation));
  if (c.options.scheduler.kind == Scheduler::graph) {
    s += ", task graph";
    if (c.options.scheduler.partitions > 0) s += " P " + std::to_string(c.options.scheduler.partitions);
    if (c.options.scheduler.off) s += " without " + schedulerPartsText(c.options.scheduler.off);
  }
  if (c.options.interleave > 1) s += ", " + std::to_string(c.options.interleave) + " images together";
  if (isToeplitz(c.options.normal)) {
    s += ", normal " + std::string(normalMethodName(c.options.normal));
    if (c.options.normal == NormalMethod::toeplitz && c.options.toeplitzAlpha != 0)
      s += ", α_T " + numberText(c.options.toeplitzAlpha, digits);
  }
  return s;
}

}  // namespace spokelab
