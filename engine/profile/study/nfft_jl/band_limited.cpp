#include "engine/profile/study/nfft_jl/band_limited.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"

namespace spokelab {
namespace {

constexpr double pi = std::numbers::pi;
constexpr std::int64_t checkedPoints = 1 << 12;  // from one look at the user to the next

Index3 gridOf(const NufftProblem& problem, double alpha, int cells) {
  const Index3 grid = gridSize(problem, alpha, cells);
  constexpr double grids = 2;  // one for FFTW's planning
  requireMemory(grids * double(product(grid)) * double(sizeof(cdouble)), "Cannot plan the transform",
                "a grid of " + sizeText(grid, 2) + " cells", "Choose a smaller size");
  return grid;
}

}  // namespace

BandLimitedNufft::BandLimitedNufft(const NufftProblem& problem, double alpha, int halfWidth, int cells)
    : problem_(problem),
      grid_(gridOf(problem, alpha, cells)),
      halfWidth_(halfWidth),
      shape_(pi * (2 - 1 / alpha)),
      cells_(std::size_t(cells)),
      forward_(grid_, problem.sign),
      adjoint_(grid_, -problem.sign),
      cellsOfGrid_(std::size_t(product(grid_))) {
  for (std::size_t d = 0; d < 2; ++d)
    for (std::int64_t n = 0; n < problem.size[d]; ++n) {
      const double frequency = 2 * pi * double(n - problem.size[d] / 2) / double(grid_[d]);
      factors_[d].push_back(
          1 / std::cyl_bessel_i(0.0, halfWidth_ * std::sqrt(shape_ * shape_ - frequency * frequency)));
    }
}

// The inverse transform of I0(m sqrt(b^2 - w^2)).
double BandLimitedNufft::window(double cells) const {
  const double square = halfWidth_ * halfWidth_ - cells * cells, root = std::sqrt(std::abs(square));
  if (root == 0) return shape_ / pi;
  return (square > 0 ? std::sinh(shape_ * root) : std::sin(shape_ * root)) / (pi * root);
}

void BandLimitedNufft::setPoints(std::span<const double> points) {
  points_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto size = double(grid_[i % 2]);
    const double cell = (points[i] - std::floor(points[i])) * size;
    points_[i] = cell < size ? cell : 0;
  }
}

template <class Work>
void BandLimitedNufft::forPoints(const Progress& progress, const Work& work) const {
  std::array<std::vector<std::int64_t>, 2> places{std::vector<std::int64_t>(cells_),
                                                  std::vector<std::int64_t>(cells_)};
  std::array<std::vector<double>, 2> values{std::vector<double>(cells_), std::vector<double>(cells_)};
  for (std::size_t j = 0; 2 * j < points_.size(); ++j) {
    if (std::int64_t(j) % checkedPoints == 0) progress.checkpoint();
    for (std::size_t d = 0; d < 2; ++d) {
      const double at = points_[2 * j + d], first = std::ceil(at - 0.5 * double(cells_));
      for (std::size_t i = 0; i < cells_; ++i) {
        const double cell = first + double(i);
        values[d][i] = window(at - cell);
        places[d][i] = (std::int64_t(cell) + grid_[d]) % grid_[d];
      }
    }
    work(j, places, values);
  }
}

template <class Work>
void BandLimitedNufft::forPixels(const Work& work) const {
  const auto cellOf = [&](std::size_t d, std::int64_t pixel) {
    return (pixel - problem_.size[d] / 2 + grid_[d]) % grid_[d];
  };
  std::size_t pixel = 0;
  for (std::int64_t y = 0; y < problem_.size[1]; ++y)
    for (std::int64_t x = 0; x < problem_.size[0]; ++x, ++pixel)
      work(pixel, std::size_t(cellOf(1, y) * grid_[0] + cellOf(0, x)),
           factors_[1][std::size_t(y)] * factors_[0][std::size_t(x)]);
}

void BandLimitedNufft::forward(const cdouble* image, cdouble* samples, const Progress& progress) {
  std::fill(cellsOfGrid_.begin(), cellsOfGrid_.end(), cdouble());
  forPixels([&](std::size_t pixel, std::size_t cell, double factor) {
    cellsOfGrid_[cell] = image[pixel] * factor;
  });
  forward_.execute(cellsOfGrid_.data());
  forPoints(progress, [&](std::size_t j, const auto& places, const auto& values) {
    cdouble sum = 0;
    for (std::size_t y = 0; y < cells_; ++y) {
      const cdouble* row = cellsOfGrid_.data() + places[1][y] * grid_[0];
      cdouble inRow = 0;
      for (std::size_t x = 0; x < cells_; ++x) inRow += row[places[0][x]] * values[0][x];
      sum += inRow * values[1][y];
    }
    samples[j] = sum;
  });
}

void BandLimitedNufft::adjoint(const cdouble* samples, cdouble* image, const Progress& progress) {
  std::fill(cellsOfGrid_.begin(), cellsOfGrid_.end(), cdouble());
  forPoints(progress, [&](std::size_t j, const auto& places, const auto& values) {
    for (std::size_t y = 0; y < cells_; ++y) {
      cdouble* row = cellsOfGrid_.data() + places[1][y] * grid_[0];
      for (std::size_t x = 0; x < cells_; ++x)
        row[places[0][x]] += samples[j] * (values[1][y] * values[0][x]);
    }
  });
  adjoint_.execute(cellsOfGrid_.data());
  forPixels([&](std::size_t pixel, std::size_t cell, double factor) {
    image[pixel] = cellsOfGrid_[cell] * factor;
  });
}

}  // namespace spokelab
