#include "engine/nufft/type3/type3.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/plan/design.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/plan/work_terms.h"
#include "engine/nufft/spread/tile_schedule.h"
#include "engine/nufft/type3/wrapped_grid.h"

namespace spokelab {
namespace {

constexpr const char* summary = "Cannot plan the transform";
constexpr double twoPi = 6.283185307179586476925;
// Of the accuracy asked for: errors of the two kernels add as the root of their squares. The outer one
// has to hold at the worst target (what the error model bounds) and for the worst place of all sources
// between two cells (up to 1.4 times that, an axis).
constexpr double outerShare = 0.55, innerShare = 0.7;
constexpr double openAlphas[] = {1.25, 1.5, 2};  // that are weighed against each other
constexpr std::int64_t pointsPerTask = 1 << 12;
constexpr double spareCells = 2;
constexpr std::int64_t lookedAt = 2000;                    // targets, of more, before a ratio is chosen
constexpr std::int64_t mostCells = std::int64_t{1} << 31;  // an axis

// The box that points lie in.
struct Extent {
  Vec3 middle{0, 0, 0}, half{0, 0, 0};
};

std::int64_t countOf(std::span<const double> points, int dims, const char* what) {
  if (points.size() % std::size_t(dims) == 0) return std::int64_t(points.size()) / dims;
  throw Error("Cannot set the points of a transform",
              std::to_string(points.size()) + " coordinates of " + what + " do not make points of " +
                  std::to_string(dims) + " dimensions",
              "Give all coordinates of each point");
}

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

// e^{2 pi i turns}
cdouble turned(double turns) {
  return std::polar(1.0, twoPi * (turns - std::nearbyint(turns)));
}

// Root of the kernel's energy an axis: the mean square of its transform over a period is at most that.
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

// The grid that sources are spread on to, for one oversampling ratio.
struct Outer {
  NufftProblem problem;  // its pixels are the targets' band
  NufftOptions options;
  Index3 grid{1, 1, 1};
  Vec3 spacing{1, 1, 1};  // of the grid, in the sources' unit
};

NufftProblem bandProblem(const Type3Problem& p) {
  NufftProblem band;
  band.dims = p.dims;
  band.precision = p.precision;
  band.sign = p.sign;
  band.measure = ErrorMeasure::worstPixel;  // all targets may lie at the band's edge
  return band;
}

Outer outerOf(const Type3Problem& p, NufftOptions options, double alpha, const Extent& sources,
              const Extent& targets) {
  Outer outer{bandProblem(p), {}, {1, 1, 1}};
  options.alpha = alpha;
  options.accuracy *= outerShare;
  options.spread = options.interpolate = Method::blocked;
  options.normal = NormalMethod::gridded;
  options.interleave = 1;
  // 4 X S cells of the band, and the kernel's width beside them; which kernel follows from the grid.
  double reach = maxKernelWidth;
  for (bool narrower = true; narrower;) {
    for (std::size_t d = 0; d < std::size_t(p.dims); ++d) {
      const double x = sources.half[d], s = targets.half[d];
      const double cells = 4 * x * s + (reach + spareCells) / alpha;
      if (!(cells < double(mostCells)))
        throw Error(summary,
                    "sources over " + numberText(2 * x) + " and targets over " + numberText(2 * s) +
                        " cycles in that unit need a grid of " + numberText(cells) + " cells",
                    "Check the units of the points, or split them");
      outer.problem.size[d] = 2 * std::int64_t(std::ceil(cells / 2));  // even: as far up as down
    }
    outer.options = resolveOptions(outer.problem, options);
    narrower = std::ceil(outer.options.width) < reach;
    reach = std::min(reach, std::ceil(outer.options.width));
  }
  outer.grid = gridSize(outer.problem, outer.options.alpha, outer.options.width);
  for (std::size_t d = 0; d < std::size_t(p.dims); ++d) {
    const double band = 0.5 * double(outer.problem.size[d]) / double(outer.grid[d]);  // cycles per cell
    const double spacing = band / targets.half[d];
    const bool used = spacing > 0 && std::isfinite(spacing);
    outer.spacing[d] = used ? spacing : std::max(sources.half[d], 1.0);  // all targets in one place
  }
  return outer;
}

NufftProblem innerProblem(const Type3Problem& p, const Index3& size) {
  NufftProblem inner;
  inner.dims = p.dims;
  inner.size = size;
  inner.precision = p.precision;
  inner.sign = p.sign;
  return inner;
}

// With alpha open, that of those weighed that takes least; seconds: of it. None reaches the accuracy:
// nullopt.
std::optional<NufftOptions> cheapestInner(const NufftProblem& problem, NufftOptions options,
                                          std::int64_t targets, double& seconds) {
  std::optional<NufftOptions> best;
  const bool open = options.alpha == 0;
  options.kernel = resolvedKernel(options.kernel);
  const double given = options.width;
  for (const double alpha : openAlphas) {
    if (open) options.alpha = alpha;
    options.width =
        given != 0 ? given : smallestWidth(problem, options.kernel, options.alpha, options.accuracy);
    if (options.width == 0 || !Kernel::defined(options.kernel, options.width, options.alpha)) continue;
    const double t =
        guessedSeconds(workTerms(problem, "cpu", options, gridSize(problem, options.alpha, options.width),
                                 Direction::forward, targets));
    if (best && t >= seconds) continue;
    best = options;
    seconds = t;
  }
  return best;
}

std::string sharesText(const NufftOptions& o) {
  return "alpha " + numberText(o.alpha) + ", W " + numberText(o.width);
}

}  // namespace

template <class Real>
struct Type3<Real>::Implementation {
  Type3Problem problem;
  NufftOptions options;

  // Everything that follows from the points.
  struct Points {
    std::int64_t sources = 0, targets = 0;
    CpuPlanDesign<Real> design;
    LoopKernel<Real> kernel;
    TileSchedule<Real> schedule;
    std::unique_ptr<Nufft<Real>> inner;
    Buffer<Complex> before, after;  // factors of sources and targets
    Buffer<Complex> values;         // of sources or targets, times their factors
    Buffer<Complex> grid, image;    // padded, and as the inner transform's image
    double error = 0;

    explicit Points(const Outer& outer)
        : design(outer.problem, outer.options),
          kernel(design.polynomial),
          schedule(design.layout, kernel, design.source.get(), design.error.crowdLimit,
                   design.options.threads, design.options.scheduler) {}
  };
  std::unique_ptr<Points> points;  // null: none are set
  Type3Info info;

  // Ratios of the outer grid, those that take least first. Throws Error where none reaches the accuracy.
  std::vector<Outer> outerChoices(const Extent& sources, const Extent& targets, std::int64_t sourceCount,
                                  std::span<const double> at) const {
    struct Choice {
      Outer outer;
      double seconds;
    };
    std::vector<Choice> choices;
    std::optional<Error> refused;
    for (const double alpha : openAlphas) try {
        if (options.alpha != 0 && alpha != openAlphas[0]) continue;
        Choice choice{outerOf(problem, options, options.alpha != 0 ? options.alpha : alpha, sources, targets),
                      0};
        const Outer& outer = choice.outer;
        const Kernel kernel(outer.options.kernel, outer.options.width, outer.options.alpha);
        const std::int64_t count = std::int64_t(at.size()) / problem.dims;
        NufftOptions inner = options;
        inner.accuracy *= innerShare / amplification(kernel, outer, targets, at, 1 + count / lookedAt);
        if (!cheapestInner(innerProblem(problem, outer.grid), inner, count, choice.seconds))
          choice.seconds = HUGE_VAL;
        const WorkTerms terms =
            workTerms(outer.problem, "cpu", outer.options, outer.grid, Direction::adjoint, sourceCount);
        choice.seconds += terms.spread.work * terms.spread.guessedSecondsPerUnit;
        choices.push_back(std::move(choice));
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

  // What the error of the inner transform grows by when its values, of each `step`-th target, are
  // divided by the kernel's transform: the mean of its inverse over the mean of what it is applied to.
  double amplification(const Kernel& kernel, const Outer& outer, const Extent& targets,
                       std::span<const double> at, std::int64_t step) const {
    const auto dims = std::size_t(problem.dims);
    const std::int64_t count = std::int64_t(at.size() / dims);
    double sum = 0;
    std::int64_t looked = 0;
    for (std::int64_t k = 0; k < count; k += step, ++looked)
      sum += std::norm(inverseAt(kernel, outer, targets, at.data() + std::size_t(k) * dims));
    const double inverse = std::sqrt(sum / double(std::max<std::int64_t>(1, looked)));
    return std::max(1.0, inverse * std::pow(energyOf(kernel), problem.dims));
  }

  // 1 / transform of the kernel at a target.
  double inverseAt(const Kernel& kernel, const Outer& outer, const Extent& targets, const double* s) const {
    double product = 1;
    for (std::size_t d = 0; d < std::size_t(problem.dims); ++d)
      product *= kernel.transform((s[d] - targets.middle[d]) * outer.spacing[d]);
    return 1 / product;
  }

  // Factors of the targets, e^{sign 2 pi i s . C} / transform of the kernel, and their places on the
  // inner transform's band.
  std::vector<double> placeTargets(Points& p, const Outer& outer, const Extent& sources,
                                   const Extent& targets, std::span<const double> at) const {
    const auto dims = std::size_t(problem.dims);
    std::vector<double> places(at.size());
    p.after.resize(std::size_t(p.targets));
    parallelFor(p.targets, p.design.options.threads, pointsPerTask,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t k = begin; k < end; ++k) {
                    const double* const s = at.data() + std::size_t(k) * dims;
                    double turns = 0;
                    for (std::size_t d = 0; d < dims; ++d) {
                      places[std::size_t(k) * dims + d] = (s[d] - targets.middle[d]) * outer.spacing[d];
                      const double t = s[d] * sources.middle[d];
                      turns += t - std::nearbyint(t);
                    }
                    p.after[std::size_t(k)] =
                        Complex(inverseAt(p.design.kernel, outer, targets, s) * turned(problem.sign * turns));
                  }
                });
    return places;
  }

  void placeSources(Points& p, const Outer& outer, const Extent& sources, const Extent& targets,
                    std::span<const double> at) const {
    const auto dims = std::size_t(problem.dims);
    std::vector<double> places(at.size());
    p.before.resize(std::size_t(p.sources));
    parallelFor(p.sources, p.design.options.threads, pointsPerTask,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t j = begin; j < end; ++j) {
                    double turns = 0;
                    for (std::size_t d = 0; d < dims; ++d) {
                      const double x = at[std::size_t(j) * dims + d] - sources.middle[d];
                      places[std::size_t(j) * dims + d] = x / (outer.spacing[d] * double(p.design.grid[d]));
                      const double t = targets.middle[d] * x;
                      turns += t - std::nearbyint(t);
                    }
                    p.before[std::size_t(j)] = Complex(turned(problem.sign * turns));
                  }
                });
    p.schedule.setPoints(places, p.design.options.width);
  }

  void allocate(Points& p) const {
    const std::int64_t cells = p.design.layout.cells + product(p.design.grid);
    const std::int64_t numbers = cells + std::max(p.sources, p.targets);
    const std::int64_t bytes = numbers * std::int64_t{sizeof(Complex)};
    checkMemory(bytes, options.memoryLimit, summary, "Split the points, or raise the limit");
    requireMemory(double(bytes), summary,
                  "a grid of " + sizeText(p.design.grid, problem.dims) + " between sources and targets",
                  "Split the points, or check their units");
    p.grid.assign(std::size_t(p.design.layout.cells), Complex(0));
    p.image.resize(std::size_t(product(p.design.grid)));
    p.values.resize(std::size_t(std::max(p.sources, p.targets)));
  }

  void makeInner(Points& p, double amplification) const {
    NufftOptions inner = options;
    inner.accuracy *= innerShare / amplification;
    inner.spread = inner.interpolate = Method::automatic;
    const NufftProblem asked = innerProblem(problem, p.design.grid);
    double seconds = 0;
    if (const auto chosen = cheapestInner(asked, inner, p.targets, seconds)) inner = *chosen;
    if (options.memoryLimit > 0)  // what grid and values have left
      inner.memoryLimit = std::max<std::int64_t>(
          1, options.memoryLimit -
                 std::int64_t((p.grid.size() + p.image.size() + p.values.size()) * sizeof(Complex)));
    if constexpr (std::is_same_v<Real, float>)
      p.inner = makeCpuNufftFloat(asked, inner);
    else
      p.inner = makeCpuNufftDouble(asked, inner);
  }

  void setPoints(std::span<const double> sources, std::span<const double> targets) {
    const std::int64_t sourceCount = countOf(sources, problem.dims, "sources"),
                       targetCount = countOf(targets, problem.dims, "targets");
    const Extent from = extentOf(sources, problem.dims, "sources"),
                 to = extentOf(targets, problem.dims, "targets");
    std::unique_ptr<Points> made;
    std::optional<Error> refused;
    // Where targets crowd at the edge of a band, the least ratio may amplify too much.
    for (const Outer& outer : outerChoices(from, to, sourceCount, targets)) try {
        made = std::make_unique<Points>(outer);
        made->sources = sourceCount;
        made->targets = targetCount;
        allocate(*made);
        const double amplified = amplification(made->design.kernel, outer, to, targets, 1);
        makeInner(*made, amplified);
        made->inner->setPoints(placeTargets(*made, outer, from, to, targets));
        placeSources(*made, outer, from, to, sources);
        made->error =
            std::hypot(made->design.error.worstPixel, amplified * made->inner->info().error.relativeL2);
        break;
      } catch (const Error& e) {
        made = nullptr;
        refused = e;
      }
    if (!made) throw *refused;
    points = std::move(made);
    describe();
  }

  void describe() {
    const Points& p = *points;
    const auto& inner = p.inner->info();
    info.outer = p.design.options;
    info.inner = inner.options;
    info.grid = p.design.grid;
    info.error = p.error;
    info.memory =
        inner.memory + p.schedule.bytes() +
        std::int64_t((p.grid.size() + p.image.size() + p.values.size() + p.before.size() + p.after.size()) *
                     sizeof(Complex));
    info.description = "type 3, " + describeDesign(p.design, p.schedule.layout()) + ", grid " +
                       sizeText(p.design.grid, problem.dims) + " (" + sharesText(p.design.options) +
                       "), its transform " + sharesText(inner.options);
  }

  void require() const {
    if (!points) throw Error("Cannot transform", "no points are set", "Set sources and targets first");
  }

  // to = from * factor, or * its conjugate
  void multiply(const Complex* from, const Buffer<Complex>& factor, bool conjugate, Complex* to) const {
    parallelFor(std::int64_t(factor.size()), info.outer.threads, pointsPerTask,
                [&](std::int64_t begin, std::int64_t end) {
                  for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
                    to[i] = from[i] * (conjugate ? std::conj(factor[i]) : factor[i]);
                });
  }

  void forward(const Complex* in, Complex* out) {
    Points& p = *points;
    multiply(in, p.before, false, p.values.data());
    parallelFor(std::int64_t(p.grid.size()), info.outer.threads, 1 << 16,
                [&](std::int64_t begin, std::int64_t end) {
                  std::fill(p.grid.begin() + begin, p.grid.begin() + end, Complex(0));
                });
    p.schedule.spread(p.values.data(), false, p.grid.data(), {1, false, p.sources});
    imageOfGrid(p.schedule.layout(), p.grid.data(), p.image.data(), info.outer.threads);
    p.inner->forward(p.image.data(), out);
    multiply(out, p.after, false, out);
  }

  void adjoint(const Complex* in, Complex* out) {
    Points& p = *points;
    multiply(in, p.after, true, p.values.data());
    p.inner->adjoint(p.values.data(), p.image.data());
    gridOfImage(p.schedule.layout(), p.image.data(), p.grid.data(), info.outer.threads);
    p.schedule.interpolate(p.grid.data(), out, false, {1, false, p.sources});
    multiply(out, p.before, true, out);
  }
};

template <class Real>
Type3<Real>::Type3(const Type3Problem& problem, const NufftOptions& options)
    : implementation_(std::make_unique<Implementation>()) {
  if (problem.batch < 1)
    throw Error("The transform is not defined",
                "a batch of " + std::to_string(problem.batch) + " was asked for", "Give 1 or more");
  implementation_->problem = problem;
  implementation_->options = options;
  // Refuses what no points could make right.
  NufftProblem least = bandProblem(problem);
  for (std::size_t d = 0; d < std::size_t(std::clamp(problem.dims, 0, 3)); ++d) least.size[d] = 8;
  NufftOptions asked = options;
  asked.accuracy *= outerShare;
  resolveOptions(least, asked);
}

template <class Real>
Type3<Real>::~Type3() = default;
template <class Real>
Type3<Real>::Type3(Type3&&) noexcept = default;
template <class Real>
Type3<Real>& Type3<Real>::operator=(Type3&&) noexcept = default;

template <class Real>
void Type3<Real>::setPoints(std::span<const double> sources, std::span<const double> targets) {
  implementation_->setPoints(sources, targets);
}

template <class Real>
const Type3Problem& Type3<Real>::problem() const {
  return implementation_->problem;
}
template <class Real>
const Type3Info& Type3<Real>::info() const {
  return implementation_->info;
}
template <class Real>
std::int64_t Type3<Real>::sources() const {
  return implementation_->points ? implementation_->points->sources : 0;
}
template <class Real>
std::int64_t Type3<Real>::targets() const {
  return implementation_->points ? implementation_->points->targets : 0;
}

template <class Real>
void Type3<Real>::forward(const Complex* sourceValues, Complex* targetValues) {
  implementation_->require();
  for (std::int64_t b = 0; b < problem().batch; ++b)
    implementation_->forward(sourceValues + b * sources(), targetValues + b * targets());
}

template <class Real>
void Type3<Real>::adjoint(const Complex* targetValues, Complex* sourceValues) {
  implementation_->require();
  for (std::int64_t b = 0; b < problem().batch; ++b)
    implementation_->adjoint(targetValues + b * targets(), sourceValues + b * sources());
}

template class Type3<float>;
template class Type3<double>;

}  // namespace spokelab
