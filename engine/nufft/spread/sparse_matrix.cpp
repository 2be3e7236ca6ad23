#include "engine/nufft/spread/sparse_matrix.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t pointsPerTask = 1024;
constexpr int rangesPerThread = 32;
// Entries of a row that are summed in the transform's precision; the row's sum is a double.
constexpr std::int64_t entriesPerPart = 32;

std::int64_t power(std::int64_t base, int exponent) {
  std::int64_t result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

void checkRange(std::int64_t points, std::int64_t cells) {
  constexpr std::int64_t maxIndex = std::numeric_limits<std::uint32_t>::max();
  if (points <= maxIndex && cells <= maxIndex) return;
  throw Error("Cannot set the points of a transform",
              "there are too many of them, or of cells, for a sparse matrix",
              "Choose the method \"blocked\"");
}

// Calls entry(point, cell, value) for the cells of points [begin, end) of a tile, x fastest.
template <class Real, int dims, class F>
void forEntries(const SortedPoint<Real, dims>* points, const Real* values, int width,
                const GridLayout& layout, std::int64_t origin, std::int64_t begin, std::int64_t end,
                const F& entry) {
  for (std::int64_t j = begin; j < end; ++j, values += dims * width) {
    const std::int64_t first = origin + points[j].offset;
    const Real *x = values, *y = x + width, *z = y + width;
    for (int k = 0; k < (dims > 2 ? width : 1); ++k) {
      for (int m = 0; m < (dims > 1 ? width : 1); ++m) {
        const Real rest = (dims > 1 ? y[m] : Real(1)) * (dims > 2 ? z[k] : Real(1));
        const std::int64_t row = first + m * layout.stride[1] + k * layout.stride[2];
        for (int i = 0; i < width; ++i) entry(j, row + i, x[i] * rest);
      }
    }
  }
}

// The same for all points of a tile; their kernel values are computed a block at a time.
template <class Real, class F>
void forTile(const SortedPoints<Real>& points, const GridLayout& layout, const KernelSource<Real>& source,
             int width, std::int64_t tile, const F& entry) {
  const std::int64_t end = points.tileBegin[static_cast<std::size_t>(tile + 1)];
  const std::int64_t origin = layout.tileOrigin(tile);
  Buffer<Real> values(static_cast<std::size_t>(pointsPerTask * layout.dims * width));
  for (std::int64_t at = points.tileBegin[static_cast<std::size_t>(tile)]; at < end; at += pointsPerTask) {
    const std::int64_t stop = std::min(end, at + pointsPerTask);
    source.fill(layout.dims, points.records.data() + at * points.recordBytes(), stop - at, values.data());
    switch (layout.dims) {
      case 1:
        forEntries<Real, 1>(points.template as<1>(), values.data(), width, layout, origin, at, stop, entry);
        break;
      case 2:
        forEntries<Real, 2>(points.template as<2>(), values.data(), width, layout, origin, at, stop, entry);
        break;
      default:
        forEntries<Real, 3>(points.template as<3>(), values.data(), width, layout, origin, at, stop, entry);
    }
  }
}

// Columns of a product: real and imaginary part of each image in a cell, or at a point.
template <class Real, int perCell>
struct Columns {
  Real part[2 * perCell] = {};

  void add(const std::complex<Real>* from, Real factor) {
    const Real* value = reinterpret_cast<const Real*>(from);
    for (int i = 0; i < 2 * perCell; ++i) part[i] += factor * value[i];
  }
  template <class Other>
  void add(const Columns<Other, perCell>& other) {
    for (int i = 0; i < 2 * perCell; ++i) part[i] += other.part[i];
  }
  std::complex<Real> operator[](int image) const { return {part[2 * image], part[2 * image + 1]}; }
};

template <class Real, int dims>
void copySources(const SortedPoints<Real>& points, std::int64_t* to) {
  for (std::int64_t j = 0; j < points.count; ++j) to[j] = points.template as<dims>()[j].source;
}

template <class Real>
Buffer<std::int64_t> sourcesOf(const SortedPoints<Real>& points, int dims) {
  Buffer<std::int64_t> sources(static_cast<std::size_t>(points.count));
  switch (dims) {
    case 1:
      copySources<Real, 1>(points, sources.data());
      break;
    case 2:
      copySources<Real, 2>(points, sources.data());
      break;
    default:
      copySources<Real, 3>(points, sources.data());
  }
  return sources;
}

}  // namespace

template <class Real>
void SparseInterpolation<Real>::setPoints(const SortedPoints<Real>& points, const GridLayout& layout,
                                          const KernelSource<Real>& source, int threads) {
  checkRange(points.count, layout.cells);
  const int width = source.cells();
  count_ = points.count;
  perRow_ = power(width, layout.dims);
  value_.resize(static_cast<std::size_t>(count_ * perRow_));
  column_.resize(value_.size());
  source_ = sourcesOf(points, layout.dims);
  parallelTasks(layout.tileCount(), threads, [&](std::int64_t tile) {
    auto at = static_cast<std::size_t>(points.tileBegin[static_cast<std::size_t>(tile)] * perRow_);
    forTile(points, layout, source, width, tile, [&](std::int64_t, std::int64_t cell, Real value) {
      value_[at] = value;
      column_[at++] = static_cast<std::uint32_t>(cell);
    });
  });
}

template <class Real>
void SparseInterpolation<Real>::apply(const Complex* grid, Complex* samples, bool sorted, int threads,
                                      const ImageSet& images) const {
  if (images.interleaved)
    applyRows<interleavedImages>(grid, samples, sorted, threads, images);
  else
    applyRows<1>(grid, samples, sorted, threads, images);
}

template <class Real>
template <int perCell>
void SparseInterpolation<Real>::applyRows(const Complex* grid, Complex* samples, bool sorted, int threads,
                                          const ImageSet& images) const {
  parallelFor(count_, threads, pointsPerTask, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin; j < end; ++j) {
      const Real* value = value_.data() + j * perRow_;
      const std::uint32_t* column = column_.data() + j * perRow_;
      Columns<Real, perCell> sum;
      for (std::int64_t i = 0; i < perRow_; ++i) sum.add(grid + std::int64_t{perCell} * column[i], value[i]);
      Complex* to = samples + (sorted ? j : source_[static_cast<std::size_t>(j)]);
      for (int image = 0; image < images.count; ++image) to[image * images.sampleStep] = sum[image];
    }
  });
}

template <class Real>
std::int64_t SparseInterpolation<Real>::bytes() const {
  return static_cast<std::int64_t>(value_.size() * (sizeof(Real) + sizeof(std::uint32_t)) +
                                   source_.size() * sizeof(std::int64_t));
}

template <class Real>
std::int64_t SparseInterpolation<Real>::estimate(int dims, int kernelCells, std::int64_t points) {
  return points *
         (power(kernelCells, dims) * static_cast<std::int64_t>(sizeof(Real) + sizeof(std::uint32_t)) +
          static_cast<std::int64_t>(sizeof(std::int64_t)));
}

template <class Real>
void SparseSpreading<Real>::setPoints(const SortedPoints<Real>& points, const GridLayout& layout,
                                      const KernelSource<Real>& source, int /*threads*/) {
  checkRange(points.count, layout.cells);
  const int width = source.cells();
  count_ = points.count;
  const auto entries = static_cast<std::size_t>(count_ * power(width, layout.dims));
  value_.resize(entries);
  column_.resize(entries);
  source_ = sourcesOf(points, layout.dims);
  // A counting sort by cell: points keep their order in a row, so that sums repeat bit by bit.
  rowBegin_.assign(static_cast<std::size_t>(layout.cells + 1), 0);
  const auto forAll = [&](const auto& entry) {
    for (std::int64_t tile = 0; tile < layout.tileCount(); ++tile) {
      forTile(points, layout, source, width, tile, entry);
    }
  };
  forAll([&](std::int64_t, std::int64_t cell, Real) { ++rowBegin_[static_cast<std::size_t>(cell)]; });
  std::int64_t sum = 0;
  for (std::int64_t& begin : rowBegin_) sum += std::exchange(begin, sum);
  forAll([&](std::int64_t point, std::int64_t cell, Real value) {
    const auto at = static_cast<std::size_t>(rowBegin_[static_cast<std::size_t>(cell)]++);
    value_[at] = value;
    column_[at] = static_cast<std::uint32_t>(point);
  });
  for (std::size_t cell = rowBegin_.size() - 1; cell > 0; --cell) rowBegin_[cell] = rowBegin_[cell - 1];
  rowBegin_[0] = 0;
}

// Gathers samples by point, a point's images beside each other; missing images are zeros.
template <class Real>
void SparseSpreading<Real>::gather(const Complex* samples, bool sorted, int threads, const ImageSet& images) {
  const int perCell = images.imagesPerCell();
  samples_.resize(static_cast<std::size_t>(count_ * perCell));
  parallelFor(count_, threads, pointsPerTask, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin; j < end; ++j) {
      const Complex* from = samples + (sorted ? j : source_[static_cast<std::size_t>(j)]);
      Complex* to = samples_.data() + j * perCell;
      for (int image = 0; image < perCell; ++image)
        to[image] = image < images.count ? from[image * images.sampleStep] : Complex(0);
    }
  });
}

template <class Real>
void SparseSpreading<Real>::apply(const Complex* samples, bool sorted, Complex* grid, int threads,
                                  const ImageSet& images) {
  if (!sorted || images.interleaved) {
    gather(samples, sorted, threads, images);
    samples = samples_.data();
  }
  if (images.interleaved)
    applyRows<interleavedImages>(samples, grid, threads);
  else
    applyRows<1>(samples, grid, threads);
}

template <class Real>
template <int perCell>
void SparseSpreading<Real>::applyRows(const Complex* samples, Complex* grid, int threads) const {
  // Ranges of rows with about equal numbers of entries; each row itself counts as one entry.
  const auto rows = static_cast<std::int64_t>(rowBegin_.size()) - 1;
  const std::int64_t ranges = std::int64_t{threads} * rangesPerThread;
  const std::int64_t work = rowBegin_.back() + rows;
  const auto rowAt = [&](std::int64_t range) {
    std::int64_t low = 0, high = rows;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (rowBegin_[static_cast<std::size_t>(middle)] + middle < work * range / ranges)
        low = middle + 1;
      else
        high = middle;
    }
    return range == ranges ? rows : low;
  };
  parallelTasks(ranges, threads, [&](std::int64_t range) {
    const std::int64_t end = rowAt(range + 1);
    for (std::int64_t row = rowAt(range); row < end; ++row) {
      Columns<double, perCell> sum;
      const std::int64_t stop = rowBegin_[static_cast<std::size_t>(row + 1)];
      for (std::int64_t i = rowBegin_[static_cast<std::size_t>(row)]; i < stop;) {
        Columns<Real, perCell> part;
        for (const std::int64_t partEnd = std::min(stop, i + entriesPerPart); i < partEnd; ++i) {
          const auto at = static_cast<std::size_t>(i);
          part.add(samples + std::int64_t{perCell} * column_[at], value_[at]);
        }
        sum.add(part);
      }
      for (int image = 0; image < perCell; ++image)
        grid[row * perCell + image] = static_cast<Complex>(sum[image]);
    }
  });
}

template <class Real>
std::int64_t SparseSpreading<Real>::bytes() const {
  return static_cast<std::int64_t>(value_.size() * (sizeof(Real) + sizeof(std::uint32_t)) +
                                   (source_.size() + rowBegin_.size()) * sizeof(std::int64_t) +
                                   samples_.size() * sizeof(Complex));
}

template <class Real>
std::int64_t SparseSpreading<Real>::estimate(int dims, int kernelCells, std::int64_t points,
                                             std::int64_t gridCells, int images) {
  return points *
             (power(kernelCells, dims) * static_cast<std::int64_t>(sizeof(Real) + sizeof(std::uint32_t)) +
              static_cast<std::int64_t>(sizeof(std::int64_t)) +
              images * static_cast<std::int64_t>(sizeof(Complex))) +
         (gridCells + 1) * static_cast<std::int64_t>(sizeof(std::int64_t));
}

template class SparseInterpolation<float>;
template class SparseInterpolation<double>;
template class SparseSpreading<float>;
template class SparseSpreading<double>;

}  // namespace spokelab
