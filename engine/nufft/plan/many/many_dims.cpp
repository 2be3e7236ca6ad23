#include "engine/nufft/plan/many/many_dims.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/plan/many/gridded_axis.h"
#include "engine/nufft/plan/many/separable_points.h"
#include "engine/nufft/plan/plan.h"

namespace spokelab {
namespace {

constexpr double normalShare = 0.5;                 // of the accuracy, for each of normal()'s transforms
constexpr double axisShare = 0.5, restShare = 0.7;  // of what is left: 0.86 together
// A matrix of more numbers is replaced by 1-D transforms.
constexpr std::int64_t maxMatrix = std::int64_t{1} << 16;
constexpr std::int64_t linesPerTask = 1 << 12;
constexpr double mostPixels = double(std::int64_t(1) << 44);  // no machine holds more

NufftProblem axisProblem(const ManyDimsProblem& whole) {
  NufftProblem axis;
  axis.dims = 1;
  axis.size = {whole.size.back(), 1, 1};
  axis.precision = whole.precision;
  axis.sign = whole.sign;
  axis.measure = whole.measure;
  return axis;
}

ManyDimsProblem withoutLast(ManyDimsProblem whole, std::int64_t batch) {
  whole.size.pop_back();
  whole.batch = batch;
  return whole;
}

template <class Real>
class ManyDimsNufft final : public Nufft<Real> {
 public:
  using Complex = std::complex<Real>;

  ManyDimsNufft(const ManyDimsProblem& problem, const NufftOptions& options)
      : problem_(problem),
        folded_(foldedProblem(problem)),
        accuracy_(options.normal == NormalMethod::later ? options.accuracy : options.accuracy / normalShare),
        options_(options),
        axis_(axisProblem(problem), options, axisShare * options.accuracy),
        images_(problem.size.back()),
        innerPixels_(folded_.pixels() / images_) {
    options_.normal = NormalMethod::later;
    griddedOptions_ = options_;
    griddedOptions_.accuracy = restShare * options.accuracy / std::max(1.0, axis_.amplification());
    inner_ = makeManyDims<Real>(withoutLast(problem_, problem_.batch), griddedOptions_);
    describe("any points");
  }

  const NufftProblem& problem() const override { return folded_; }
  const PlanInfo& info() const override { return info_; }
  std::int64_t points() const override { return points_; }

  void setPoints(const PlanPoints& given) override {
    const Span call("set points", SpanKind::call);
    const auto dims = std::size_t(problem_.dims());
    const HostPoints hostPoints(given, folded_, options_.threads);
    const std::span<const double> points = hostPoints.coordinates();
    for (const double k : points)
      if (!std::isfinite(k))
        throw Error("Cannot set the points of a transform", "a coordinate is not finite", "Check the points");
    points_ = std::int64_t(points.size() / dims);
    pairs_ = separablePoints(points, int(dims));
    if (pairs_)
      setPairs();
    else
      setGridded(points);
  }

  void forward(const Complex* image, Complex* samples, const Execution& execution) override {
    if (points_ == 0) return;
    pairs_ ? forwardOfPairs(image, samples, execution) : forwardOfCells(image, samples);
  }

  void adjoint(const Complex* samples, Complex* image, const Execution& execution) override {
    if (points_ == 0) {
      std::fill_n(image, problem_.batch * folded_.pixels(), Complex(0));
      return;
    }
    pairs_ ? adjointOfPairs(samples, image, execution) : adjointOfCells(samples, image);
  }

  void setWeights(std::span<const double> weights) override {
    weights_.assign(weights.begin(), weights.end());
  }

  void normal(const Complex* in, Complex* out, const Execution& execution) override {
    requireWeights(weights_.size(), points_);
    Buffer<Complex> samples(std::size_t(problem_.batch * points_));
    forward(in, samples.data(), execution);
    if (!weights_.empty())
      for (std::size_t i = 0; i < samples.size(); ++i) samples[i] *= Real(weights_[i % std::size_t(points_)]);
    adjoint(samples.data(), out, execution);
  }

 private:
  void describe(const std::string& way) {
    const PlanInfo& inner = (pairs_ ? pairInner_ : inner_)->info();
    info_.backend = "cpu";
    info_.options = inner.options;
    info_.options.accuracy = accuracy_;
    info_.grid = inner.grid;
    info_.beta = inner.beta;
    info_.error = inner.error;
    const double rest = inner.error.relativeL2;
    if (!pairs_) {
      info_.error.relativeL2 = std::hypot(axis_.error(), axis_.amplification() * rest);
      info_.error.bound = std::hypot(axis_.bound(), axis_.amplification() * inner.error.bound);
    } else if (outer_) {
      info_.error.relativeL2 = std::hypot(outer_->info().error.relativeL2, rest);
      info_.error.bound = std::hypot(outer_->info().error.bound, inner.error.bound);
    }
    info_.memory = inner.memory + axis_.memory();
    info_.description = std::to_string(problem_.dims()) + "-D, " + way + "; " +
                        std::to_string(problem_.dims() - 1) + "-D: " + inner.description;
  }

  std::int64_t firstCount() const { return pairs_->firstCount(problem_.dims()); }
  std::int64_t lastCount() const { return std::int64_t(pairs_->last.size()); }

  void setPairs() {
    const bool small = images_ * lastCount() <= maxMatrix;
    NufftOptions options = options_;
    options.accuracy *= small ? 1 : restShare;
    pairInner_ = makeManyDims<Real>(withoutLast(problem_, problem_.batch * images_), options);
    pairInner_->setPoints(pairs_->first);
    inner_.reset();
    outer_.reset();
    matrix_.clear();
    if (small) {
      for (const double b : pairs_->last)
        for (std::int64_t n = 0; n < images_; ++n)
          matrix_.push_back(Complex(phaseOfTurns(problem_.sign * partOfTurns(b, double(n - images_ / 2)))));
    } else {
      ManyDimsProblem lines{
          {images_}, problem_.precision, problem_.sign, problem_.batch * firstCount(), problem_.measure};
      outer_ = makeManyDims<Real>(lines, options);
      outer_->setPoints(pairs_->last);
    }
    const double bytes = double(problem_.batch) * double(firstCount()) * double(2 * images_ + lastCount());
    requireMemory(bytes * sizeof(Complex), "Cannot set the points of a transform",
                  "the samples of all its volumes", "Use fewer images together, or fewer points");
    describe(countText(lastCount(), "place") + " of " + countText(firstCount(), "point") +
             (small ? " each, by a matrix" : " each, by 1-D transforms"));
  }

  std::size_t sampleOf(std::int64_t image, std::int64_t j, std::int64_t l) const {
    return std::size_t(image * points_ + (pairs_->firstFastest ? j + firstCount() * l : l + lastCount() * j));
  }

  void forwardOfPairs(const Complex* image, Complex* samples, const Execution& execution) {
    const std::int64_t first = firstCount(), last = lastCount();
    Buffer<Complex> each(std::size_t(problem_.batch * images_ * first));  // [batch, n, j]
    pairInner_->forward(image, each.data(), execution);
    Buffer<Complex> lines(outer_ ? each.size() : 0),
        found(outer_ ? std::size_t(problem_.batch * first * last) : 0);
    overLines([&](std::int64_t b, std::int64_t j) {
      Complex* const line = outer_ ? lines.data() + (b * first + j) * images_ : nullptr;
      for (std::int64_t l = 0; l < last && !outer_; ++l) {
        Complex sum = 0;
        for (std::int64_t n = 0; n < images_; ++n)
          sum += product(matrix_[std::size_t(l * images_ + n)],
                         each[std::size_t((b * images_ + n) * first + j)]);
        samples[sampleOf(b, j, l)] = sum;
      }
      for (std::int64_t n = 0; n < images_ && outer_; ++n)
        line[n] = each[std::size_t((b * images_ + n) * first + j)];
    });
    if (!outer_) return;
    outer_->forward(lines.data(), found.data(), execution);
    overLines([&](std::int64_t b, std::int64_t j) {
      for (std::int64_t l = 0; l < last; ++l)
        samples[sampleOf(b, j, l)] = found[std::size_t((b * first + j) * last + l)];
    });
  }

  void adjointOfPairs(const Complex* samples, Complex* image, const Execution& execution) {
    const std::int64_t first = firstCount(), last = lastCount();
    Buffer<Complex> each(std::size_t(problem_.batch * images_ * first));  // [batch, n, j]
    Buffer<Complex> lines(outer_ ? each.size() : 0),
        given(outer_ ? std::size_t(problem_.batch * first * last) : 0);
    if (outer_) {
      overLines([&](std::int64_t b, std::int64_t j) {
        for (std::int64_t l = 0; l < last; ++l)
          given[std::size_t((b * first + j) * last + l)] = samples[sampleOf(b, j, l)];
      });
      outer_->adjoint(given.data(), lines.data(), execution);
    }
    overLines([&](std::int64_t b, std::int64_t j) {
      for (std::int64_t n = 0; n < images_; ++n) {
        Complex sum = outer_ ? lines[std::size_t((b * first + j) * images_ + n)] : Complex(0);
        for (std::int64_t l = 0; l < last && !outer_; ++l)
          sum += product(std::conj(matrix_[std::size_t(l * images_ + n)]), samples[sampleOf(b, j, l)]);
        each[std::size_t((b * images_ + n) * first + j)] = sum;
      }
    });
    pairInner_->adjoint(each.data(), image, execution);
  }

  template <class Body>
  void overLines(const Body& body) const {
    for (std::int64_t b = 0; b < problem_.batch; ++b)
      parallelFor(firstCount(), options_.threads, linesPerTask / images_ + 1,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t j = begin; j < end; ++j) body(b, j);
                  });
  }

  void setGridded(std::span<const double> points) {
    pairInner_.reset();
    outer_.reset();
    if (!inner_) inner_ = makeManyDims<Real>(withoutLast(problem_, problem_.batch), griddedOptions_);
    const double cells = double(axis_.cells()) * double(problem_.batch * innerPixels_);
    requireMemory(cells * sizeof(Complex) + double(points_) * axis_.bytesAPoint(problem_.dims()),
                  "Cannot set the points of a transform", "the grid of its last dimension",
                  "Use a smaller image, or points that are all pairs of two lists");
    axis_.setPoints(points, problem_.dims());
    describe("any points, " + std::to_string(axis_.cells()) + " cells of the last, W " +
             numberText(axis_.width(), 3));
  }

  void forwardOfCells(const Complex* image, Complex* samples) {
    Buffer<Complex> cells(std::size_t(axis_.cells() * problem_.batch * innerPixels_));
    axis_.toCells(image, cells.data(), problem_.batch, innerPixels_);
    std::fill_n(samples, problem_.batch * points_, Complex(0));
    Buffer<Complex> part;
    for (std::int64_t g = 0; g < axis_.cells(); ++g) {
      const auto touching = axis_.touching(g);
      if (touching.points.empty()) continue;
      const auto count = std::int64_t(touching.points.size());
      inner_->setPoints(axis_.coordinates(g));
      part.resize(std::size_t(problem_.batch * count));
      inner_->forward(cells.data() + g * problem_.batch * innerPixels_, part.data());
      for (std::int64_t b = 0; b < problem_.batch; ++b)
        for (std::int64_t i = 0; i < count; ++i)
          samples[b * points_ + touching.points[std::size_t(i)]] +=
              part[std::size_t(b * count + i)] * Real(touching.weights[std::size_t(i)]);
    }
  }

  void adjointOfCells(const Complex* samples, Complex* image) {
    Buffer<Complex> cells(std::size_t(axis_.cells() * problem_.batch * innerPixels_));
    Buffer<Complex> part;
    for (std::int64_t g = 0; g < axis_.cells(); ++g) {
      Complex* const cell = cells.data() + g * problem_.batch * innerPixels_;
      const auto touching = axis_.touching(g);
      if (touching.points.empty()) {
        std::fill_n(cell, problem_.batch * innerPixels_, Complex(0));
        continue;
      }
      const auto count = std::int64_t(touching.points.size());
      inner_->setPoints(axis_.coordinates(g));
      part.resize(std::size_t(problem_.batch * count));
      for (std::int64_t b = 0; b < problem_.batch; ++b)
        for (std::int64_t i = 0; i < count; ++i)
          part[std::size_t(b * count + i)] =
              samples[b * points_ + touching.points[std::size_t(i)]] * Real(touching.weights[std::size_t(i)]);
      inner_->adjoint(part.data(), cell);
    }
    axis_.toImage(cells.data(), image, problem_.batch, innerPixels_);
  }

  const ManyDimsProblem problem_;
  const NufftProblem folded_;
  const double accuracy_;  // accuracy
  NufftOptions options_, griddedOptions_;
  GriddedAxis<Real> axis_;
  const std::int64_t images_, innerPixels_;
  PlanInfo info_;
  std::int64_t points_ = 0;
  std::unique_ptr<Nufft<Real>> inner_;  // of gridded points
  std::optional<SeparablePoints> pairs_;
  std::unique_ptr<Nufft<Real>> pairInner_, outer_;  // of pairs; outer_ null: by the matrix
  std::vector<Complex> matrix_;                     // [l, n]
  std::vector<double> weights_;
};

template <class Real>
std::unique_ptr<Nufft<Real>> ownPlan(const NufftProblem& problem, const NufftOptions& options) {
  if constexpr (std::is_same_v<Real, float>)
    return makeCpuNufftFloat(problem, options);
  else
    return makeCpuNufftDouble(problem, options);
}

}  // namespace

NufftProblem foldedProblem(const ManyDimsProblem& problem) {
  const auto refuse = [](const std::string& reason) {
    throw Error("The transform is not defined", reason, "Check the image size and the points");
  };
  if (problem.dims() < 1 || problem.dims() > maxDims)
    refuse(std::to_string(problem.dims()) + " dimensions were asked for; there are 1 to " +
           std::to_string(maxDims));
  double pixels = double(problem.batch);
  for (std::size_t d = 0; d < problem.size.size(); ++d) {
    if (problem.size[d] < 1)
      refuse("dimension " + std::to_string(d + 1) + " has " + std::to_string(problem.size[d]) + " pixels");
    pixels *= double(problem.size[d]);
  }
  if (!(pixels <= mostPixels)) refuse("its images have more pixels than any machine holds");
  if (problem.batch < 1) refuse("a batch of " + std::to_string(problem.batch) + " images was asked for");
  NufftProblem folded;
  folded.dims = problem.dims();
  for (std::size_t d = 0; d < problem.size.size(); ++d)
    folded.size[std::min<std::size_t>(d, 2)] *= problem.size[d];
  folded.precision = problem.precision;
  folded.sign = problem.sign;
  folded.batch = problem.batch;
  folded.measure = problem.measure;
  return folded;
}

template <class Real>
std::unique_ptr<Nufft<Real>> makeManyDims(const ManyDimsProblem& problem, const NufftOptions& options) {
  const NufftProblem folded = foldedProblem(problem);
  if (problem.dims() <= 3) return ownPlan<Real>(folded, options);
  if (isToeplitz(options.normal))
    throw Error("Cannot plan the transform",
                "the convolution with a point spread function has one to three dimensions",
                "Leave the normal operator open");
  NufftOptions own = options;
  if (options.normal != NormalMethod::later) own.accuracy *= normalShare;
  return std::make_unique<ManyDimsNufft<Real>>(problem, own);
}

template std::unique_ptr<Nufft<float>> makeManyDims(const ManyDimsProblem&, const NufftOptions&);
template std::unique_ptr<Nufft<double>> makeManyDims(const ManyDimsProblem&, const NufftOptions&);

}  // namespace spokelab
