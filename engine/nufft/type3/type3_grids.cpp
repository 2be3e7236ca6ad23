#include "engine/nufft/type3/type3_grids.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/plan/work_terms.h"
#include "engine/nufft/type3/pair_error.h"

namespace spokelab {
namespace {

// Shares of the requested accuracy. The errors of the two kernels add as root of squares. The outer
// kernel must hold at the worst target, as the error model bounds it, and for the worst place of
// all sources between two cells, up to 1.4 times this bound an axis.
constexpr double outerShare = 0.55, innerShare = 0.7;
constexpr double openAlphas[] = {1.25, 1.5, 2};  // compared by predicted work
constexpr double spareCells = 2;
constexpr std::int64_t lookedAt = 2000;                    // targets sampled before a ratio is chosen
constexpr std::int64_t mostCells = std::int64_t{1} << 31;  // an axis

// Root of the kernel's energy along an axis: bounds its transform's mean square over a period.
double energyOf(const Kernel& kernel) {
  constexpr int steps = 256;
  const double step = kernel.width() / steps;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double value = kernel((i + 0.5) * step - kernel.width() / 2);
    sum += value * value * step;
  }
  return std::sqrt(sum);
}

NufftProblem bandProblem(const Type3Problem& p) {
  NufftProblem band;
  band.dims = p.dims;
  band.precision = p.precision;
  band.sign = p.sign;
  band.measure = ErrorMeasure::worstPixel;  // all targets may lie at the band's edge
  return band;
}

Outer outerOf(const Type3Problem& p, NufftOptions options, const std::string& backend, double alpha,
              const Extent& sources, const Extent& targets) {
  Outer outer{bandProblem(p), {}, {1, 1, 1}};
  outer.accuracy = options.accuracy;
  options.alpha = alpha;
  options.accuracy *= outerShare;
  options.spread = options.interpolate = Method::blocked;
  options.normal = NormalMethod::later;  // never applied
  options.interleave = 1;
  // The grid needs 4 X S cells and the kernel's width, and the kernel depends on the grid.
  double reach = maxKernelWidth;
  for (bool narrower = true; narrower;) {
    for (std::size_t d = 0; d < std::size_t(p.dims); ++d) {
      const double x = sources.half[d], s = targets.half[d];
      const double ratio = std::max(alpha, options.axisAlpha[d]);
      const double cells = 4 * x * s + (reach + spareCells) / ratio;
      if (!(cells < double(mostCells)))
        throw Error("Cannot plan the transform",
                    "sources over " + numberText(2 * x) + " and targets over " + numberText(2 * s) +
                        " cycles in that unit need a grid of " + numberText(cells) + " cells",
                    "Check the units of the points, or split them");
      outer.problem.size[d] = 2 * std::int64_t(std::ceil(cells / 2));  // even: as far up as down
    }
    outer.options = resolveOptions(outer.problem, options);
    narrower = std::ceil(outer.options.width) < reach;
    reach = std::min(reach, std::ceil(outer.options.width));
  }
  outer.grid =
      gridSizeOn(backend, outer.problem, outer.options.alpha, outer.options.width, outer.options.axisAlpha);
  for (std::size_t d = 0; d < std::size_t(p.dims); ++d) {
    const double band = 0.5 * double(outer.problem.size[d]) / double(outer.grid[d]);  // cycles per cell
    const double spacing = band / targets.half[d];
    const bool used = spacing > 0 && std::isfinite(spacing);
    outer.spacing[d] = used ? spacing : std::max(sources.half[d], 1.0);  // all targets in one place
  }
  return outer;
}

// The cheapest options (openAlphas if open) and their seconds; nullopt: accuracy out of reach.
std::optional<NufftOptions> cheapestInner(const NufftProblem& problem, NufftOptions options,
                                          const std::string& backend, std::int64_t targets, double& seconds) {
  std::optional<NufftOptions> best;
  const bool open = options.alpha == 0;
  options.kernel = resolvedKernel(options.kernel);
  const double given = options.width;
  for (const double alpha : openAlphas) {
    if (open) options.alpha = alpha;
    options.width =
        given != 0 ? given : smallestWidth(problem, options.kernel, options.alpha, options.accuracy);
    if (options.width == 0 || !Kernel::defined(options.kernel, options.width, options.alpha)) continue;
    const double t = guessedSeconds(
        workTerms(problem, backend, options,
                  gridSizeOn(backend, problem, options.alpha, options.width, options.axisAlpha),
                  Direction::forward, targets));
    if (best && t >= seconds) continue;
    best = options;
    seconds = t;
  }
  return best;
}

// Options of the inner transform, at its share of the accuracy.
NufftOptions atInner(NufftOptions options, double amplified) {
  options.accuracy *= innerShare / amplified;
  options.spread = options.interpolate = Method::automatic;
  return options;
}

// Mean over a sample of the targets.
double meanInverseSquare(const Kernel& kernel, const Outer& outer, const Extent& extent,
                         std::span<const double> targets, int dims) {
  const auto count = std::int64_t(targets.size()) / dims;
  const std::int64_t step = 1 + count / lookedAt;
  double sum = 0;
  std::int64_t looked = 0;
  for (std::int64_t k = 0; k < count; k += step, ++looked)
    sum += std::norm(inverseAt(kernel, outer, extent, targets.data() + k * dims, dims));
  return sum / double(std::max<std::int64_t>(1, looked));
}

struct Points {
  const Extent &sourceBox, &targetBox;
  std::span<const double> sources, targets;
};

struct Choice {
  Outer outer;
  double seconds;
};

// Predicted error between the actual points: aliasing there, rounding and polynomials.
double errorBetween(const Points& points, const Outer& outer, const Kernel& kernel, const NufftProblem& inner,
                    const NufftOptions& chosen, const std::string& backend, double amplified) {
  const InnerGrid grid{Kernel(chosen.kernel, chosen.width, chosen.alpha),
                       gridSizeOn(backend, inner, chosen.alpha, chosen.width, chosen.axisAlpha)};
  const double aliasing = pairError(outer, kernel, grid, points.sourceBox, points.sources, points.targetBox,
                                    points.targets, inner.dims);
  // A polynomial's deviations at many points' cells are random; few points' may all add up.
  constexpr double polynomialShare = 0.1;  // as in polynomialTolerance
  const auto polynomial = [&](double accuracy, double width) {
    return polynomialShare * accuracy * std::sqrt(2 * width * double(inner.dims));
  };
  const double ofOuter = polynomial(outer.options.accuracy, kernel.width()),
               ofInner = amplified * polynomial(chosen.accuracy, chosen.width);
  const double rounding =
      std::hypot(predictError(outer.problem, kernel, outer.grid, 0, outer.options.accuracy).rounding,
                 amplified * predictError(inner, grid.kernel, grid.grid, 0, chosen.accuracy).rounding);
  return std::hypot(aliasing + ofOuter + ofInner, rounding);
}

// With few points, or all in one place, errors do not average out.
bool areFew(std::span<const double> points, const Extent& box, int dims) {
  constexpr std::size_t fewPoints = 8;
  return points.size() < fewPoints * std::size_t(dims) || box.half == Vec3{0, 0, 0};
}

// The outer grid for one ratio, with the predicted time of the whole. Both kernels get a finer
// accuracy if the error between the actual points would exceed the requested one.
Choice finerWhereNeeded(const Type3Problem& problem, NufftOptions options, const std::string& backend,
                        double alpha, const Points& points) {
  const double asked = options.accuracy;
  const bool fixed = options.width != 0;
  const double allowed = (fixed ? 1 : contractMargin) * asked;
  constexpr int maxTrials = 6;
  constexpr double spare = 0.9;
  const bool few = areFew(points.sources, points.sourceBox, problem.dims) ||
                   areFew(points.targets, points.targetBox, problem.dims);
  const std::int64_t sources = std::int64_t(points.sources.size()) / problem.dims,
                     targets = std::int64_t(points.targets.size()) / problem.dims;
  for (int trial = 0;; ++trial) {
    Choice choice{outerOf(problem, options, backend, alpha, points.sourceBox, points.targetBox), 0};
    Outer& outer = choice.outer;
    const Kernel kernel(outer.options.kernel, outer.options.width, outer.options.alpha);
    const NufftProblem inner = innerProblem(problem, outer.grid);
    const double amplified =
        amplification(kernel, problem.dims,
                      meanInverseSquare(kernel, outer, points.targetBox, points.targets, problem.dims));
    const auto chosen = cheapestInner(inner, atInner(optionsForInner(problem, options), amplified), backend,
                                      targets, choice.seconds);
    if (!chosen) {
      choice.seconds = HUGE_VAL;  // planning gives the reason
      return choice;
    }
    if (few) outer.error = errorBetween(points, outer, kernel, inner, *chosen, backend, amplified);
    if (outer.error <= allowed) {
      const WorkTerms terms =
          workTerms(outer.problem, backend, outer.options, outer.grid, Direction::adjoint, sources);
      choice.seconds += terms.spread.work * terms.spread.guessedSecondsPerUnit;
      return choice;
    }
    if (fixed || trial == maxTrials)
      throw Error(
          "The accuracy cannot be reached",
          "between these points the error is " + numberText(outer.error, 3) + ", not " + numberText(asked),
          fixed ? "Leave the kernel width open, or ask for less" : "Ask for less");
    options.accuracy *= spare * allowed / outer.error;
  }
}

}  // namespace

Extent extentOf(std::span<const double> points, int dims, const char* what) {
  Extent extent;
  for (std::size_t d = 0; d < std::size_t(dims) && !points.empty(); ++d) {
    double low = points[d], high = points[d];
    for (std::size_t i = d; i < points.size(); i += std::size_t(dims)) {
      if (!std::isfinite(points[i]))
        throw Error("Cannot set the points of a transform",
                    std::string("a coordinate of the ") + what + " is not finite",
                    "Remove such points before they are set");
      low = std::min(low, points[i]);
      high = std::max(high, points[i]);
    }
    extent.middle[d] = low / 2 + high / 2;
    extent.half[d] = high / 2 - low / 2;
  }
  return extent;
}

NufftProblem innerProblem(const Type3Problem& p, const Index3& grid) {
  NufftProblem inner;
  inner.dims = p.dims;
  inner.size = grid;
  inner.precision = p.precision;
  inner.sign = p.sign;
  return inner;
}

void checkOptions(const Type3Problem& problem, const NufftOptions& options) {
  if (problem.batch < 1)
    throw Error("The transform is not defined",
                "a batch of " + std::to_string(problem.batch) + " was asked for", "Give 1 or more");
  constexpr std::int64_t pixels = 8;
  NufftProblem least = bandProblem(problem);
  for (std::size_t d = 0; d < std::size_t(std::clamp(problem.dims, 0, 3)); ++d) least.size[d] = pixels;
  NufftOptions asked = options;
  asked.accuracy *= outerShare;
  resolveOptions(least, asked);
}

std::vector<Outer> outerChoices(const Type3Problem& problem, const NufftOptions& options,
                                const std::string& backend, const Extent& sourceExtent,
                                std::span<const double> sources, const Extent& targetExtent,
                                std::span<const double> targets) {
  const Points points{sourceExtent, targetExtent, sources, targets};
  std::vector<Choice> choices;
  std::optional<Error> refused;
  for (const double alpha : openAlphas) try {
      if (options.alpha != 0 && alpha != openAlphas[0]) continue;
      choices.push_back(
          finerWhereNeeded(problem, options, backend, options.alpha != 0 ? options.alpha : alpha, points));
    } catch (const Error& e) {
      refused = e;
    }
  if (choices.empty()) throw *refused;
  std::stable_sort(choices.begin(), choices.end(),
                   [](const Choice& a, const Choice& b) { return a.seconds < b.seconds; });
  std::vector<Outer> outers;
  for (Choice& choice : choices) outers.push_back(std::move(choice.outer));
  return outers;
}

double predictType3Error(const Outer& outer, double worstOuter, double amplified, double innerError) {
  return std::max(std::hypot(worstOuter, amplified * innerError), outer.error);
}

double inverseAt(const Kernel& kernel, const Outer& outer, const Extent& targets, const double* target,
                 int dims) {
  double product = 1;
  for (std::size_t d = 0; d < std::size_t(dims); ++d)
    product *= kernel.transform((target[d] - targets.middle[d]) * outer.spacing[d]);
  return 1 / product;
}

double amplification(const Kernel& kernel, int dims, double meanInverseSquare) {
  return std::max(1.0, std::sqrt(meanInverseSquare) * std::pow(energyOf(kernel), dims));
}

NufftOptions optionsForInner(const Type3Problem& problem, NufftOptions options) {
  if (!problem.openInner) return options;
  options.alpha = problem.innerAlpha;
  options.width = 0;
  return options;
}

NufftOptions innerOptions(const NufftProblem& inner, const Outer& outer, NufftOptions options,
                          const std::string& backend, double amplified, std::int64_t targets) {
  options.accuracy = outer.accuracy;
  options = atInner(std::move(options), amplified);
  double seconds = 0;
  return cheapestInner(inner, options, backend, targets, seconds).value_or(options);
}

}  // namespace spokelab
