#include "engine/nufft/tune/candidates.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/spread/kernels/kernel_source.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"
#include "engine/nufft/tune/cost_model.h"
#include "engine/nufft/tune/plugins/tried_plugin.h"

namespace spokelab {
namespace {

struct KernelChoice {
  double alpha, width;
  KernelType kernel = KernelType::kaiserBessel;
};

// The request's width, or the smallest admissible; 0: the kernel misses the accuracy at this alpha.
double admissibleWidth(const NufftProblem& problem, const NufftOptions& options, double alpha) {
  if (options.width == 0) return smallestWidth(problem, options.kernel, alpha, transformAccuracy(options));
  if (!Kernel::defined(options.kernel, options.width, alpha)) return 0;
  const Kernel kernel(options.kernel, options.width, alpha);
  const Index3 grid = gridSize(problem, alpha, options.width);
  const double accuracy = transformAccuracy(options);
  return predictError(problem, kernel, grid, 0, accuracy).bound <= accuracy ? options.width : 0;
}

// Pairs (alpha, W) of one kernel that meet the accuracy. Searches a width only if worth(alpha).
template <class Worth>
std::vector<KernelChoice> admissiblePairs(const std::string& backend, const NufftProblem& problem,
                                          NufftOptions options, const Worth& worth) {
  options.kernel = resolvedKernel(options.kernel);
  const std::vector<double> alphas =
      options.alpha != 0 ? std::vector{options.alpha} : fastAlphasOn(backend, problem, options.axisAlpha);
  std::vector<double> widths(alphas.size(), 0);
  parallelTasks(std::int64_t(alphas.size()), options.threads, [&](std::int64_t task) {
    const auto i = std::size_t(task);
    if (worth(alphas[i])) widths[i] = admissibleWidth(problem, options, alphas[i]);
  });
  std::vector<KernelChoice> pairs;
  for (std::size_t i = 0; i < alphas.size(); ++i)
    if (widths[i] > 0) pairs.push_back({alphas[i], widths[i], options.kernel});
  return pairs;
}

// Pairs with the kernel left open. Time depends on the cells that a point touches, not on the
// kernel's form, so another kernel replaces Kaiser-Bessel only where it touches fewer cells. An
// exhaustive search times all kernels.
std::vector<KernelChoice> tunedPairs(const NufftBackend& backend, const TuneRequest& request) {
  const NufftProblem& problem = request.problem;
  NufftOptions options = request.options;
  std::vector<KernelChoice> pairs =
      admissiblePairs(backend.name(), problem, options, [](double) { return true; });
  if (pairs.empty()) {
    // resolveOptions also tries alphas beyond the tuner's, or refuses with the reason.
    const NufftOptions resolved = resolveOptions(problem, options);
    pairs.push_back({resolved.alpha, resolved.width, resolved.kernel});
  }
  if (request.options.kernel != KernelType::automatic) return pairs;
  // GPU methods may support only some kernels, so a narrower kernel is added as an extra candidate.
  const bool isExhaustive = request.effort == TuneEffort::exhaustive, replaces = backend.name() == "cpu";
  for (const KernelType kernel : {KernelType::semicircle, KernelType::prolate}) {
    options.kernel = kernel;
    const auto at = [&](double alpha) {
      return std::find_if(pairs.begin(), pairs.end(),
                          [&](const KernelChoice& p) { return p.alpha == alpha; });
    };
    const auto mayBeNarrower = [&](double alpha) {
      const auto same = at(alpha);
      return isExhaustive || same == pairs.end() ||
             (options.width == 0 &&
              meetsAccuracy(problem, kernel, alpha, std::ceil(same->width) - 1, transformAccuracy(options)));
    };
    std::vector<KernelChoice> added;
    for (const KernelChoice& other : admissiblePairs(backend.name(), problem, options, mayBeNarrower)) {
      const auto same = at(other.alpha);
      if (isExhaustive || same == pairs.end() || !replaces)
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
  Precomputation precomputation;
};

// An exhaustive search times polynomials, tables and, on the CPU, stored values, but not the
// kernel's formula, which is a hundred times slower. Other searches vary the winner
// (refinements.h).
std::vector<Precomputation> precomputations(const NufftBackend& backend, const TuneRequest& request,
                                            Method spread, Method interpolate) {
  const Precomputation requestedPrecomputation = request.options.precomputation;
  const bool spreads = request.workload.direction != Direction::forward,
             interpolates = request.workload.direction != Direction::adjoint;
  const bool matrices = (!spreads || storesMatrix(spread)) && (!interpolates || storesMatrix(interpolate));
  const bool polynomialsOnly = backend.name() != "cpu" && ((spreads && spread == Method::tensor) ||
                                                           (interpolates && interpolate == Method::tensor));
  if (request.effort != TuneEffort::exhaustive || requestedPrecomputation != Precomputation::automatic ||
      matrices || polynomialsOnly)
    return {requestedPrecomputation};
  std::vector<Precomputation> choices{Precomputation::polynomial};
  if (backend.name() == "cpu") choices.push_back(Precomputation::tensor);
  choices.push_back(Precomputation::linear);
  return choices;
}

// Methods vary only in the request's direction.
std::vector<Methods> methodPairs(const NufftBackend& backend, const TuneRequest& request) {
  const NufftProblem& problem = request.problem;
  const NufftOptions& options = request.options;
  const bool isExhaustive = request.effort == TuneEffort::exhaustive;
  std::vector<Method> spread =
      isExhaustive ? backend.allSpreadMethods(problem, options) : backend.spreadMethods(problem, options);
  std::vector<Method> interpolate = isExhaustive ? backend.allInterpolateMethods(problem, options)
                                                 : backend.interpolateMethods(problem, options);
  if (spread.empty() || interpolate.empty()) return {};
  // The plan chooses the other direction's method to fit the order that its points are sorted in.
  const auto leaveOpen = [&](std::vector<Method>& methods) {
    methods.resize(1);
    if (backend.name() != "cpu") methods[0] = Method::automatic;
  };
  // The ranking counts nanoseconds a point, but few points cost mostly launches, and `gm` without
  // sorting has the fewest: 0.036 ms to set and spread 6,000 points of 144^2 pixels once, 0.046 ms
  // for the next best method (H100).
  constexpr std::int64_t fewPoints = std::int64_t(1) << 18;
  const bool few = !isExhaustive && backend.name() != "cpu" &&
                   std::int64_t(request.points.size()) <= fewPoints * problem.dims;
  const auto addUnsorted = [](std::vector<Method>& ranked, const std::vector<Method>& possible) {
    constexpr Method unsorted = Method::pointDriven;
    if (std::ranges::find(possible, unsorted) != possible.end() &&
        std::ranges::find(ranked, unsorted) == ranked.end())
      ranked.push_back(unsorted);
  };
  if (request.workload.direction == Direction::forward)
    leaveOpen(spread);
  else if (few)
    addUnsorted(spread, backend.allSpreadMethods(problem, options));
  if (request.workload.direction == Direction::adjoint)
    leaveOpen(interpolate);
  else if (few)
    addUnsorted(interpolate, backend.allInterpolateMethods(problem, options));
  std::vector<Methods> pairs;
  for (const Method s : spread)
    for (const Method i : interpolate)
      for (const Precomputation p : precomputations(backend, request, s, i)) pairs.push_back({s, i, p});
  return pairs;
}

// One candidate a pair. All threads predict errors: a large image has hundreds of pairs.
std::vector<Candidate> candidatesOf(NufftBackend& backend, const TuneRequest& request,
                                    const std::vector<KernelChoice>& pairs, const Methods& methods) {
  std::vector<KernelChoice> chosen;
  for (const KernelChoice& p : pairs)
    if (p.kernel == request.options.kernel) chosen.push_back(p);
  std::vector<Candidate> candidates(chosen.size());
  parallelTasks(std::int64_t(chosen.size()), request.options.threads, [&](std::int64_t task) {
    const auto i = std::size_t(task);
    candidates[i] = makeCandidate(backend, request, chosen[i].alpha, chosen[i].width, methods.spread,
                                  methods.interpolate);
  });
  return candidates;
}

std::vector<Candidate> gridCandidates(NufftBackend& backend, const TuneRequest& request) {
  std::vector<Candidate> candidates;
  const std::vector<KernelChoice> pairs = tunedPairs(backend, request);
  for (const KernelType kernel :
       {KernelType::kaiserBessel, KernelType::semicircle, KernelType::prolate, KernelType::gaussian}) {
    TuneRequest resolved = request;
    resolved.options.kernel = kernel;
    if (std::none_of(pairs.begin(), pairs.end(), [&](const KernelChoice& p) { return p.kernel == kernel; }))
      continue;
    const std::vector<Methods> methods = methodPairs(backend, resolved);
    if (methods.empty()) continue;
    const std::vector<Candidate> first = candidatesOf(backend, resolved, pairs, methods.front());
    std::vector<Candidate> withTables;
    if (std::any_of(methods.begin(), methods.end(),
                    [](const Methods& m) { return m.precomputation == Precomputation::linear; }))
      std::copy_if(first.begin(), first.end(), std::back_inserter(withTables),
                   [&](const Candidate& c) { return linearTableMayWin(resolved, c); });
    for (const Methods& m : methods)
      // The predicted error is the same for all methods.
      for (Candidate c : m.precomputation == Precomputation::linear ? withTables : first) {
        c.options.spread = m.spread;
        c.options.interpolate = m.interpolate;
        c.options.precomputation = m.precomputation;
        if (c.refused.empty()) predictCost(resolved, c);
        candidates.push_back(std::move(c));
      }
  }
  return candidates;
}

// The transforms beside a convolution, at its alpha: a gridded operator would need finer ones.
Candidate besideConvolution(NufftBackend& backend, const TuneRequest& request, const Candidate& gridded) {
  TuneRequest transformRequest = request;
  transformRequest.options.kernel = gridded.options.kernel;
  const double width = admissibleWidth(request.problem, transformRequest.options, gridded.options.alpha);
  if (width == 0) return gridded;
  transformRequest.options.precomputation = gridded.options.precomputation;
  return makeCandidate(backend, transformRequest, gridded.options.alpha, width, gridded.options.spread,
                       gridded.options.interpolate);
}

// A backend's normal operators: the gridded one with each grid; a convolution, whose time
// depends on no grid, with the grid that should be cheapest.
std::vector<Candidate> normalCandidates(NufftBackend& backend, const TuneRequest& request) {
  constexpr std::size_t maxRatios = 6;
  std::vector<Candidate> candidates;
  const std::vector<NormalMethod> normals = backend.normalMethods(request.problem, request.options);
  if (normals.empty()) return candidates;
  TuneRequest own = request;
  std::vector<Candidate> gridded;
  if (std::ranges::find(normals, NormalMethod::gridded) != normals.end()) try {
      own.options.normal = NormalMethod::gridded;
      gridded = gridCandidates(backend, own);
    } catch (const Error&) {
      if (std::ranges::none_of(normals, isToeplitz)) throw;  // convolutions reach more
    }
  candidates = gridded;
  const auto add = [&](Candidate c, NormalMethod normal, double toeplitzAlpha) {
    c.options.normal = normal;
    c.options.toeplitzAlpha = toeplitzAlpha;
    predictCost(request, c);
    candidates.push_back(std::move(c));
  };
  const double requestedAlphaT = request.options.toeplitzAlpha;
  for (const NormalMethod normal : normals) {
    if (!isToeplitz(normal)) continue;
    own.options.normal = normal;
    std::vector<Candidate> plain = gridded.empty() ? gridCandidates(backend, own) : gridded;
    if (plain.empty()) continue;
    for (Candidate& c : plain) {
      c.options.normal = NormalMethod::gridded;
      predictCost(request, c);
    }
    Candidate cheapest = *std::ranges::min_element(plain, {}, &Candidate::predictedSeconds);
    if (!gridded.empty()) cheapest = besideConvolution(backend, own, cheapest);
    const bool open = normal == NormalMethod::toeplitz && requestedAlphaT == 0;
    if (open && request.effort == TuneEffort::exhaustive)
      for (const double alpha : toeplitzAlphas(request.problem, maxRatios)) add(cheapest, normal, alpha);
    else
      add(cheapest, normal, requestedAlphaT);
  }
  return candidates;
}

}  // namespace

bool linearTableMayWin(const TuneRequest& request, const Candidate& candidate) {
  constexpr double maxDensity = 1 << 13;  // values a cell
  const NufftOptions& o = candidate.options;
  if (!Kernel::defined(o.kernel, o.width, o.alpha)) return false;
  const Kernel kernel(o.kernel, o.width, o.alpha);
  return linearTableDensity(kernel, polynomialTolerance(request.problem, kernel, candidate.grid,
                                                        transformAccuracy(o))) <= maxDensity;
}

Candidate makeCandidate(NufftBackend& backend, const TuneRequest& request, double alpha, double width,
                        Method spread, Method interpolate) {
  Candidate c;
  c.backend = backend.name();
  c.options = request.options;
  c.options.alpha = alpha;
  c.options.width = width;
  c.options.spread = spread;
  c.options.interpolate = interpolate;
  c.grid = gridSizeOn(c.backend, request.problem, alpha, width, c.options.axisAlpha);
  if (!Kernel::defined(c.options.kernel, width, alpha)) {
    c.refused = "the kernel is not defined at this width and oversampling";
    return c;
  }
  const Kernel kernel(c.options.kernel, width, alpha);
  const double accuracy = transformAccuracy(c.options);
  const double deviation = polynomialTolerance(request.problem, kernel, c.grid, accuracy);
  c.predicted = predictError(request.problem, kernel, c.grid, deviation, accuracy);
  predictCost(request, c);
  return c;
}

std::vector<Candidate> enumerateCandidates(std::span<NufftBackend* const> backends,
                                           const TuneRequest& request) {
  std::vector<Candidate> candidates;
  for (NufftBackend* backend : backends) {
    if (isPlugin(backend->name())) continue;  // pluginCandidates makes theirs
    std::vector<Candidate> backendCandidates = request.workload.direction == Direction::normal
                                                   ? normalCandidates(*backend, request)
                                                   : gridCandidates(*backend, request);
    std::move(backendCandidates.begin(), backendCandidates.end(), std::back_inserter(candidates));
  }
  if (candidates.empty() && pluginCandidates(backends, request).empty())
    throw Error("Cannot choose a plan",
                backends.empty() ? "no backend is present"
                : request.options.reproducible
                    ? "no backend here has a method that was asked for and repeats bit by bit"
                    : "no backend here has the method that was asked for",
                "Leave method and backend to the tuner");
  return candidates;
}

NufftBackend* backendNamed(std::span<NufftBackend* const> backends, const std::string& name) {
  for (NufftBackend* b : backends)
    if (b->name() == name) return b;
  return nullptr;
}

std::string pathText(const Path& path) {
  if (!knowsField(path.transform)) return "without the field";
  std::string s;
  if (path.convolutions > 0) s = countText(path.convolutions, "convolution");
  if (path.segments > 0)
    s += (s.empty() ? "" : ", ") + countText(path.segments, "segment") + " (" +
         std::string(interpolatorName(path.interpolator)) + ")";
  return s;
}

std::string describe(const Candidate& c) {
  constexpr int digits = 3;
  if (isExact(c.path.transform))
    return std::string(c.path.transform == TransformKind::gdft ? "exact sums, "
                                                               : "exact sums with gradient, ") +
           c.backend;
  std::string s = pathText(c.path);
  if (isPlugin(c.backend))
    return (s.empty() ? s : s + ", ") + "plug-in " + c.backend +
           (c.options.alpha > 0 ? ", α " + numberText(c.options.alpha, digits) : std::string());
  s += (s.empty() ? "α " : ", α ") + numberText(c.options.alpha, digits) + ", W " +
       numberText(c.options.width, digits) + ", " + c.backend + " " + methodsText(c.options);
  if (c.innerAlpha > 0) s += ", inner grid α " + numberText(c.innerAlpha, digits);
  const Precomputation precomputation = c.options.precomputation;
  if (precomputation != Precomputation::automatic && precomputation != Precomputation::polynomial)
    s += ", " + std::string(precomputationName(precomputation));
  if (c.options.scheduler.kind == Scheduler::graph) {
    s += ", task graph";
    if (c.options.scheduler.partitions > 0) s += " P " + std::to_string(c.options.scheduler.partitions);
    if (c.options.scheduler.off) s += " without " + schedulerPartsText(c.options.scheduler.off);
  }
  if (c.options.crowdedSums == CrowdedSums::off) s += ", crowds summed like other points";
  if (c.options.fftEffort == FftEffort::measure || c.options.fftEffort == FftEffort::patient)
    s += ", FFTW " + std::string(fftEffortName(c.options.fftEffort));
  if (c.options.interleave > 1) s += ", " + std::to_string(c.options.interleave) + " images together";
  if (isToeplitz(c.options.normal)) {
    s += ", normal " + std::string(normalMethodName(c.options.normal));
    if (c.options.normal == NormalMethod::toeplitz && c.options.toeplitzAlpha != 0)
      s += ", α_T " + numberText(c.options.toeplitzAlpha, digits);
  }
  return s;
}

}  // namespace spokelab
