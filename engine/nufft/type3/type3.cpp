#include "engine/nufft/type3/type3.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/plan/design.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/problem/backend_kind.h"
#include "engine/nufft/spread/tile_schedule.h"
#include "engine/nufft/type3/type3_points.h"
#include "engine/nufft/type3/wrapped_grid.h"

namespace spokelab {
namespace {

constexpr const char* summary = "Cannot plan the transform";
constexpr std::int64_t pointsPerTask = 1 << 12;

std::string sharesText(const NufftOptions& o) {
  return "alpha " + numberText(o.alpha) + ", W " + numberText(o.width);
}

}  // namespace

template <class Real>
struct Type3<Real>::Implementation {
  Type3Problem problem;
  NufftOptions options;

  struct Points {
    std::int64_t sources = 0, targets = 0;
    CpuPlanDesign<Real> design;
    LoopKernel<Real> kernel;
    TileSchedule<Real> schedule;
    std::unique_ptr<Nufft<Real>> inner;
    Buffer<Complex> before, after;  // factors of sources and targets
    Buffer<Complex> values;         // of sources or targets, times their factors
    Buffer<Complex> grid, image;    // the padded grid, and its copy as the inner image
    double error = 0;

    explicit Points(const Outer& outer)
        : design(outer.problem, outer.options),
          kernel(design.polynomial),
          schedule(design.layout, kernel, design.source.get(), design.error.crowdLimit, design.options) {}
  };
  std::unique_ptr<Points> points;  // null before setPoints()
  Type3Info info;

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

  void makeInner(Points& p, const Outer& outer, double amplified) const {
    const NufftProblem asked = innerProblem(problem, p.design.grid);
    NufftOptions inner =
        innerOptions(asked, outer, optionsForInner(problem, options), cpuBackend, amplified, p.targets);
    if (options.memoryLimit > 0)  // memory that grid and values leave
      inner.memoryLimit = std::max<std::int64_t>(
          1, options.memoryLimit -
                 std::int64_t((p.grid.size() + p.image.size() + p.values.size()) * sizeof(Complex)));
    if constexpr (std::is_same_v<Real, float>)
      p.inner = makeCpuNufftFloat(asked, inner);
    else
      p.inner = makeCpuNufftDouble(asked, inner);
  }

  void setPoints(std::span<const double> sources, std::span<const double> targets) {
    const std::int64_t sourceCount = countOfPoints(sources, problem.dims, "sources"),
                       targetCount = countOfPoints(targets, problem.dims, "targets");
    const Boxes boxes{extentOf(sources, problem.dims, "sources"), extentOf(targets, problem.dims, "targets")};
    const auto make = [&](const Outer& outer) {
      auto made = std::make_unique<Points>(outer);
      made->sources = sourceCount;
      made->targets = targetCount;
      allocate(*made);
      const int threads = made->design.options.threads;
      PlacedPoints<Real> ends =
          placeTargets<Real>(problem, outer, made->design.kernel, boxes, targets, threads);
      const double amplified = amplificationOf(made->design.kernel, problem.dims, ends.factor);
      makeInner(*made, outer, amplified);
      made->inner->setPoints(ends.places);
      made->after = std::move(ends.factor);
      PlacedPoints<Real> starts = placeSources<Real>(problem, outer, boxes, sources, threads);
      made->schedule.setPoints(starts.places, made->design.options.width);
      made->before = std::move(starts.factor);
      made->error = predictType3Error(outer, made->design.error.worstPixel, amplified,
                                      made->inner->info().error.relativeL2);
      return made;
    };
    points = firstPossible(
        outerChoices(problem, options, cpuBackend, boxes.sources, sources, boxes.targets, targets), make);
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

  void timedMultiply(const Complex* from, const Buffer<Complex>& factor, bool conjugate, Complex* to) const {
    const StageTimer timer(Stage::multiply);
    multiply(from, factor, conjugate, to);
  }

  void forward(const Complex* in, Complex* out) {
    Points& p = *points;
    timedMultiply(in, p.before, false, p.values.data());
    {
      const StageTimer timer(Stage::zero);
      parallelFor(std::int64_t(p.grid.size()), info.outer.threads, 1 << 16,
                  [&](std::int64_t begin, std::int64_t end) {
                    std::fill(p.grid.begin() + begin, p.grid.begin() + end, Complex(0));
                  });
    }
    {
      const StageTimer timer(Stage::spread);
      p.schedule.spread(p.values.data(), false, p.grid.data(), {1, false, p.sources});
      imageOfGrid(p.schedule.layout(), p.grid.data(), p.image.data(), info.outer.threads);
    }
    p.inner->forward(p.image.data(), out);
    timedMultiply(out, p.after, false, out);
  }

  void adjoint(const Complex* in, Complex* out) {
    Points& p = *points;
    timedMultiply(in, p.after, true, p.values.data());
    p.inner->adjoint(p.values.data(), p.image.data());
    {
      const StageTimer timer(Stage::interpolate);
      gridOfImage(p.schedule.layout(), p.image.data(), p.grid.data(), info.outer.threads);
      p.schedule.interpolate(p.grid.data(), out, false, {1, false, p.sources});
    }
    timedMultiply(out, p.before, true, out);
  }
};

template <class Real>
Type3<Real>::Type3(const Type3Problem& problem, const NufftOptions& options)
    : implementation_(std::make_unique<Implementation>()) {
  implementation_->problem = problem;
  implementation_->options = options;
  implementation_->info.backend = cpuBackend;
  checkOptions(problem, options);
}

template <class Real>
Type3<Real>::~Type3() = default;

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
void Type3<Real>::forward(const Complex* sourceValues, Complex* targetValues, const Execution&) {
  implementation_->require();
  for (std::int64_t b = 0; b < problem().batch; ++b)
    implementation_->forward(sourceValues + b * sources(), targetValues + b * targets());
}

template <class Real>
void Type3<Real>::adjoint(const Complex* targetValues, Complex* sourceValues, const Execution&) {
  implementation_->require();
  for (std::int64_t b = 0; b < problem().batch; ++b)
    implementation_->adjoint(targetValues + b * targets(), sourceValues + b * sources());
}

template class Type3<float>;
template class Type3<double>;

}  // namespace spokelab
