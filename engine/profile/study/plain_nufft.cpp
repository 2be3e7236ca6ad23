#include "engine/profile/study/plain_nufft.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/deapodization.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"

namespace spokelab {
namespace {

constexpr std::int64_t pointsBetween = 1 << 12;  // from one look at the user to the next

// The grid size, after checking memory for the grid and for FFTW's planning grid.
Index3 gridWithRoom(const NufftProblem& problem, const NufftOptions& options, std::size_t cellBytes) {
  const Index3 grid = gridSize(problem, options.alpha, options.width);
  constexpr double grids = 2;
  requireMemory(grids * double(product(grid)) * double(cellBytes), "Cannot plan the transform",
                "a grid of " + shapeText({grid[0], grid[1], grid[2]}) + " cells", "Choose a smaller size");
  return grid;
}

double toleranceOf(const NufftProblem& problem, const Kernel& kernel, const NufftOptions& options) {
  return polynomialTolerance(problem, kernel, gridSize(problem, options.alpha, options.width),
                             options.accuracy);
}

}  // namespace

template <class Real>
PlainNufft<Real>::PlainNufft(const NufftProblem& problem, const NufftOptions& options)
    : problem_(problem),
      kernel_(resolvedKernel(options.kernel), options.width, options.alpha),
      grid_(gridWithRoom(problem, options, sizeof(Complex))),
      polynomial_(fitKernel(kernel_, toleranceOf(problem, kernel_, options))),
      precomputation_(options.precomputation),
      forward_(grid_, problem.sign),
      adjoint_(grid_, -problem.sign),
      storesMatrix_(storesMatrix(options.spread)),
      cellsOfGrid_(static_cast<std::size_t>(product(grid_))) {
  if (precomputation_ == Precomputation::linear)
    source_ = std::make_unique<const KernelSource<Real>>(kernel_, polynomial_, precomputation_,
                                                         toleranceOf(problem, kernel_, options));
  for (std::size_t d = 0; d < 3; ++d) {
    const bool used = d < static_cast<std::size_t>(problem.dims);
    if (used) cells_[d] = static_cast<std::size_t>(kernel_.cells());
    factors_[d] = used ? deapodization(kernel_, problem.size[d], grid_[d]) : std::vector<double>{1};
  }
}

template <class Real>
void PlainNufft<Real>::setPoints(std::span<const double> points) {
  const auto dims = static_cast<std::size_t>(problem_.dims);
  points_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto size = static_cast<double>(grid_[i % dims]);
    const double cell = (points[i] - std::floor(points[i])) * size;
    points_[i] = static_cast<Real>(cell < size ? cell : 0);
  }
  stored_ = {};
  if (storesMatrix_)
    storeMatrix();
  else if (precomputation_ == Precomputation::tensor)
    storeValues();
}

template <class Real>
void PlainNufft<Real>::storeValues() {
  const std::size_t dims = std::size_t(problem_.dims), cells = cells_[0];
  const double bytes = double(points_.size()) * double(cells) * sizeof(Real);
  requireMemory(bytes, "Cannot store the kernel's values", "they are " + megabytesText(std::int64_t(bytes)),
                "Choose a smaller size");
  Buffer<Real> stored(points_.size() * cells);
  Reach reach;
  for (std::int64_t j = 0; j < count(); ++j) {
    reachOf(j, reach);
    for (std::size_t d = 0; d < dims; ++d)
      std::copy_n(reach.value[d].data(), cells, stored.data() + (std::size_t(j) * dims + d) * cells);
  }
  stored_ = std::move(stored);
}

template <class Real>
void PlainNufft<Real>::storeMatrix() {
  const double entries = double(count()) * double(entriesOfPoint()),
               bytes = entries * double(sizeof(Real) + sizeof(std::uint32_t));
  requireMemory(bytes, "Cannot store the matrix", "its entries are " + megabytesText(std::int64_t(bytes)),
                "Choose a smaller size");
  if (product(grid_) > std::numeric_limits<std::uint32_t>::max())
    throw Error("Cannot store the matrix", "its grid has more cells than 32 bits number",
                "Choose a smaller size");
  weights_.resize(std::size_t(entries));
  places_.resize(std::size_t(entries));
  std::size_t at = 0;
  Reach r;
  for (std::int64_t j = 0; j < count(); ++j) {
    reachOf(j, r);
    for (std::size_t z = 0; z < cells_[2]; ++z)
      for (std::size_t y = 0; y < cells_[1]; ++y) {
        const std::int64_t row = (r.cell[2][z] * grid_[1] + r.cell[1][y]) * grid_[0];
        const Real outer = r.value[2][z] * r.value[1][y];
        for (std::size_t x = 0; x < cells_[0]; ++x, ++at) {
          places_[at] = std::uint32_t(row + r.cell[0][x]);
          weights_[at] = outer * r.value[0][x];
        }
      }
  }
}

template <class Real>
void PlainNufft<Real>::values(Real fraction, Real* to) const {
  const int cells = kernel_.cells();
  const auto f = static_cast<double>(fraction);
  if (source_) {
    const Real at = fraction * static_cast<Real>(source_->density());
    const int interval = std::min(static_cast<int>(at), source_->density() - 1);
    const Real part = at - static_cast<Real>(interval);
    const Real* low = source_->table().data() + std::int64_t{interval} * cells;
    for (int j = 0; j < cells; ++j) to[j] = low[j] + part * (low[j + cells] - low[j]);
  } else if (precomputation_ == Precomputation::none) {
    for (int j = 0; j < cells; ++j) to[j] = static_cast<Real>(kernel_(f + j - 0.5 * kernel_.width()));
  } else {
    for (int j = 0; j < cells; ++j) to[j] = static_cast<Real>(polynomial_.value(j, f));
  }
  if (f >= polynomial_.edge) to[cells - 1] = 0;
}

template <class Real>
void PlainNufft<Real>::reachOf(std::int64_t point, Reach& reach) const {
  const auto dims = static_cast<std::size_t>(problem_.dims);
  for (std::size_t d = 0; d < 3; ++d) {
    if (d >= dims) {
      reach.value[d][0] = 1;
      reach.cell[d][0] = 0;
      continue;
    }
    const double before = double(points_[static_cast<std::size_t>(point) * dims + d]) - 0.5 * kernel_.width();
    const double first = std::ceil(before);
    if (stored_.empty())
      values(static_cast<Real>(first - before), reach.value[d].data());
    else
      std::copy_n(stored_.data() + (std::size_t(point) * dims + d) * cells_[d], cells_[d],
                  reach.value[d].data());
    std::int64_t cell = static_cast<std::int64_t>(first);
    cell += cell < 0 ? grid_[d] : 0;
    for (std::size_t j = 0; j < cells_[d]; ++j, ++cell) {
      if (cell >= grid_[d]) cell -= grid_[d];
      reach.cell[d][j] = cell;
    }
  }
}

template <class Real>
template <class Work>
void PlainNufft<Real>::forPoints(const Progress& progress, const Work& work) const {
  Reach reach;
  for (std::int64_t j = 0; j < count(); ++j) {
    if (j % pointsBetween == 0) progress.checkpoint();
    reachOf(j, reach);
    work(j, reach);
  }
}

template <class Real>
template <class Work>
void PlainNufft<Real>::forPixels(const Work& work) const {
  const Index3& size = problem_.size;
  const auto cellOf = [&](std::size_t d, std::int64_t pixel) {
    const std::int64_t n = pixel - size[d] / 2;
    return n < 0 ? n + grid_[d] : n;
  };
  std::size_t pixel = 0;
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y) {
      const double factor = factors_[2][std::size_t(z)] * factors_[1][std::size_t(y)];
      const std::int64_t row = (cellOf(2, z) * grid_[1] + cellOf(1, y)) * grid_[0];
      for (std::int64_t x = 0; x < size[0]; ++x, ++pixel)
        work(pixel, std::size_t(row + cellOf(0, x)), static_cast<Real>(factor * factors_[0][std::size_t(x)]));
    }
}

template <class Real>
void PlainNufft<Real>::multiply(Complex* samples, const Progress& progress) const {
  const auto entries = std::size_t(entriesOfPoint());
  for (std::size_t j = 0, at = 0; j < std::size_t(count()); ++j) {
    if (j % pointsBetween == 0) progress.checkpoint();
    Complex sum = 0;
    for (const std::size_t end = at + entries; at < end; ++at)
      sum += cellsOfGrid_[places_[at]] * weights_[at];
    samples[j] = sum;
  }
}

template <class Real>
void PlainNufft<Real>::multiplyTransposed(const Complex* samples, const Progress& progress) {
  const auto entries = std::size_t(entriesOfPoint());
  for (std::size_t j = 0, at = 0; j < std::size_t(count()); ++j) {
    if (j % pointsBetween == 0) progress.checkpoint();
    for (const std::size_t end = at + entries; at < end; ++at)
      cellsOfGrid_[places_[at]] += samples[j] * weights_[at];
  }
}

template <class Real>
void PlainNufft<Real>::forward(const Complex* image, Complex* samples, const Progress& progress) {
  const Span call("plain", SpanKind::call);
  Complex* const grid = cellsOfGrid_.data();
  {
    const StageTimer timer(Stage::zero);
    std::fill_n(grid, product(grid_), Complex());
  }
  {
    const StageTimer timer(Stage::deapodize);
    forPixels([&](std::size_t pixel, std::size_t cell, Real factor) { grid[cell] = image[pixel] * factor; });
  }
  progress.checkpoint();
  {
    const StageTimer timer(Stage::fft);
    forward_.execute(grid);
  }
  {
    const StageTimer timer(Stage::interpolate);
    if (storesMatrix_) return multiply(samples, progress);
    forPoints(progress, [&](std::int64_t j, const Reach& r) {
      Complex sum = 0;
      for (std::size_t z = 0; z < cells_[2]; ++z)
        for (std::size_t y = 0; y < cells_[1]; ++y) {
          const Complex* row = grid + (r.cell[2][z] * grid_[1] + r.cell[1][y]) * grid_[0];
          Complex inRow = 0;
          for (std::size_t x = 0; x < cells_[0]; ++x) inRow += row[r.cell[0][x]] * r.value[0][x];
          sum += inRow * (r.value[2][z] * r.value[1][y]);
        }
      samples[j] = sum;
    });
  }
}

template <class Real>
void PlainNufft<Real>::adjoint(const Complex* samples, Complex* image, const Progress& progress) {
  const Span call("plain", SpanKind::call);
  Complex* const grid = cellsOfGrid_.data();
  {
    const StageTimer timer(Stage::zero);
    std::fill_n(grid, product(grid_), Complex());
  }
  {
    const StageTimer timer(Stage::spread);
    if (storesMatrix_)
      multiplyTransposed(samples, progress);
    else
      forPoints(progress, [&](std::int64_t j, const Reach& r) {
        for (std::size_t z = 0; z < cells_[2]; ++z)
          for (std::size_t y = 0; y < cells_[1]; ++y) {
            Complex* row = grid + (r.cell[2][z] * grid_[1] + r.cell[1][y]) * grid_[0];
            const Complex weighted = samples[j] * (r.value[2][z] * r.value[1][y]);
            for (std::size_t x = 0; x < cells_[0]; ++x) row[r.cell[0][x]] += weighted * r.value[0][x];
          }
      });
  }
  progress.checkpoint();
  {
    const StageTimer timer(Stage::fft);
    adjoint_.execute(grid);
  }
  {
    const StageTimer timer(Stage::deapodize);
    forPixels([&](std::size_t pixel, std::size_t cell, Real factor) { image[pixel] = grid[cell] * factor; });
  }
}

template <class Real>
double PlainNufft<Real>::kernelSeconds(const Progress& progress) const {
  const double start = now();
  Real sum = 0;
  std::int64_t last = 0;
  forPoints(progress, [&](std::int64_t, const Reach& r) {
    for (std::size_t d = 0; d < 3; ++d) {
      sum += r.value[d][cells_[d] - 1];
      last += r.cell[d][cells_[d] - 1];
    }
  });
  // Read, so that the compiler cannot leave the work out.
  [[maybe_unused]] volatile Real values = sum;
  [[maybe_unused]] volatile std::int64_t cells = last;
  return now() - start;
}

template class PlainNufft<float>;
template class PlainNufft<double>;

}  // namespace spokelab
