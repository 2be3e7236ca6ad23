#include "engine/nufft/plan/many/gridded_axis.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/fft/lines_fft.h"
#include "engine/nufft/kernel/deapodization.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"

namespace spokelab {
namespace {

// Few cells make few transforms of the other dimensions, which cost more than the kernel's width.
constexpr double axisAlphas[] = {1.5, 2};
constexpr std::int64_t linesPerBlock = 16;

Kernel chosenKernel(const NufftProblem& axis, const NufftOptions& options, double accuracy) {
  const KernelType type = resolvedKernel(options.kernel);
  if (options.width > 0) {
    const double alpha = options.alpha > 0 ? options.alpha : axisAlphas[1];
    if (!Kernel::defined(type, options.width, alpha) || options.width > maxKernelWidth)
      throw Error(
          "Cannot plan the transform",
          "no kernel of width " + numberText(options.width) + " exists at oversampling " + numberText(alpha),
          "Leave the width open");
    return Kernel(type, options.width, alpha);
  }
  for (const double alpha : axisAlphas) {
    const double ratio = options.alpha > 0 ? options.alpha : alpha;
    if (const double width = smallestWidth(axis, type, ratio, accuracy); width > 0)
      return Kernel(type, width, ratio);
  }
  throw Error("Cannot plan the transform",
              "an error of " + numberText(accuracy, 2) + " is out of reach along a dimension of " +
                  std::to_string(axis.size[0]) + " pixels in this precision",
              "Ask for less accuracy, or use double precision");
}

// The integral of the kernel's square, which is its mean sum over the cells.
double squareSum(const Kernel& kernel) {
  constexpr int steps = 4096;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double value = kernel(kernel.width() * ((i + 0.5) / steps - 0.5));
    sum += value * value;
  }
  return sum * kernel.width() / steps;
}

template <class Real>
LinesFft<Real> linesOf(std::int64_t grid, int sign) {
  return {static_cast<int>(grid), static_cast<int>(linesPerBlock), static_cast<int>(grid), sign};
}

}  // namespace

template <class Real>
GriddedAxis<Real>::GriddedAxis(const NufftProblem& axis, const NufftOptions& options, double accuracy)
    : axis_(axis), threads_(options.threads), kernel_(chosenKernel(axis, options, accuracy)) {
  const Index3 grid = gridSize(axis, kernel_.alpha(), kernel_.width());
  grid_ = grid[0];
  predicted_ = predictError(axis, kernel_, grid, 0, accuracy);
  factors_ = deapodization(kernel_, axis.size[0], grid_);
  amplification_ = predicted_.noiseGain * std::sqrt(squareSum(kernel_));
}

template <class Real>
std::int64_t GriddedAxis<Real>::memory() const {
  return std::int64_t((factors_.size() + first_.size() + gathered_.size()) * sizeof(double) +
                      (begins_.size() + points_.size()) * sizeof(std::int64_t) +
                      weights_.size() * sizeof(Real));
}

template <class Real>
double GriddedAxis<Real>::bytesAPoint(int dims) const {
  return double(dims - 1) * sizeof(double) +
         double(kernel_.cells()) * double(sizeof(std::int64_t) + sizeof(Real));
}

template <class Real>
void GriddedAxis<Real>::setPoints(std::span<const double> points, int dims) {
  const auto all = std::size_t(dims);
  const std::size_t count = points.size() / all;
  firstDims_ = all - 1;
  first_.resize(count * firstDims_);
  const double half = 0.5 * kernel_.width(), size = double(grid_);
  // The first cell from the kernel's edge on, and the point's place.
  const auto placeOf = [&](std::size_t j) {
    const double k = points[j * all + all - 1];
    return (k - std::floor(k)) * size;
  };
  const auto visit = [&](std::size_t j, const auto& body) {
    const double x = placeOf(j);
    for (double cell = std::ceil(x - half); cell <= x + half; cell += 1)
      body((std::int64_t(cell) % grid_ + grid_) % grid_, cell - x);
  };
  begins_.assign(std::size_t(grid_) + 1, 0);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t d = 0; d < firstDims_; ++d) first_[j * firstDims_ + d] = points[j * all + d];
    visit(j, [&](std::int64_t cell, double) { ++begins_[std::size_t(cell) + 1]; });
  }
  for (std::size_t g = 0; g < std::size_t(grid_); ++g) begins_[g + 1] += begins_[g];
  points_.resize(std::size_t(begins_.back()));
  weights_.resize(points_.size());
  std::vector<std::int64_t> next(begins_.begin(), begins_.end() - 1);
  for (std::size_t j = 0; j < count; ++j)
    visit(j, [&](std::int64_t cell, double u) {
      const auto at = std::size_t(next[std::size_t(cell)]++);
      points_[at] = std::int64_t(j);
      weights_[at] = Real(kernel_(u));
    });
}

template <class Real>
auto GriddedAxis<Real>::touching(std::int64_t cell) const -> Touching {
  const auto begin = std::size_t(begins_[std::size_t(cell)]),
             end = std::size_t(begins_[std::size_t(cell) + 1]);
  return {std::span(points_).subspan(begin, end - begin), std::span(weights_).subspan(begin, end - begin)};
}

template <class Real>
std::span<const double> GriddedAxis<Real>::coordinates(std::int64_t cell) {
  const auto points = touching(cell).points;
  gathered_.resize(points.size() * firstDims_);
  for (std::size_t i = 0; i < points.size(); ++i)
    std::copy_n(first_.begin() + std::ptrdiff_t(std::size_t(points[i]) * firstDims_), firstDims_,
                gathered_.begin() + std::ptrdiff_t(i * firstDims_));
  return gathered_;
}

template <class Real>
void GriddedAxis<Real>::toCells(const Complex* image, Complex* cells, std::int64_t batch,
                                std::int64_t pixels) const {
  const std::int64_t n = axis_.size[0];
  const LinesFft<Real> lines = linesOf<Real>(grid_, axis_.sign);
  parallelFor(batch * pixels, threads_, linesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    Buffer<Complex> block(std::size_t(linesPerBlock * grid_));
    for (std::int64_t from = begin; from < end; from += linesPerBlock) {
      const std::int64_t to = std::min(end, from + linesPerBlock);
      std::fill(block.begin(), block.end(), Complex(0));
      for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t cell = (i - n / 2 + grid_) % grid_;
        for (std::int64_t q = from; q < to; ++q)
          block[std::size_t((q - from) * grid_ + cell)] =
              image[(q / pixels * n + i) * pixels + q % pixels] * Real(factors_[std::size_t(i)]);
      }
      lines.execute(block.data());
      for (std::int64_t g = 0; g < grid_; ++g)
        for (std::int64_t q = from; q < to; ++q)
          cells[g * batch * pixels + q] = block[std::size_t((q - from) * grid_ + g)];
    }
  });
}

template <class Real>
void GriddedAxis<Real>::toImage(const Complex* cells, Complex* image, std::int64_t batch,
                                std::int64_t pixels) const {
  const std::int64_t n = axis_.size[0];
  const LinesFft<Real> lines = linesOf<Real>(grid_, -axis_.sign);
  parallelFor(batch * pixels, threads_, linesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    Buffer<Complex> block(std::size_t(linesPerBlock * grid_));
    for (std::int64_t from = begin; from < end; from += linesPerBlock) {
      const std::int64_t to = std::min(end, from + linesPerBlock);
      std::fill(block.begin(), block.end(), Complex(0));
      for (std::int64_t g = 0; g < grid_; ++g)
        for (std::int64_t q = from; q < to; ++q)
          block[std::size_t((q - from) * grid_ + g)] = cells[g * batch * pixels + q];
      lines.execute(block.data());
      for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t cell = (i - n / 2 + grid_) % grid_;
        for (std::int64_t q = from; q < to; ++q)
          image[(q / pixels * n + i) * pixels + q % pixels] =
              block[std::size_t((q - from) * grid_ + cell)] * Real(factors_[std::size_t(i)]);
      }
    }
  });
}

template class GriddedAxis<float>;
template class GriddedAxis<double>;

}  // namespace spokelab
