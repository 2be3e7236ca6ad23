#include "engine/nufft/bin_sort.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"

namespace spokelab {

namespace {

constexpr std::int64_t minimumPointsPerThread = 1 << 14;
// Below this average a bin's counter costs more than its order saves.
constexpr std::int64_t minimumPointsPerBin = 2;
// Beyond this the conversion to an integer, which is how we truncate, is not exact.
constexpr double largestTruncated = 1e15;

// k - floor(k), in [0, 1).
inline double folded(double k) {
  if (!(std::abs(k) < largestTruncated)) k = std::fmod(k, 1.0);  // NaN stays NaN
  double whole = static_cast<double>(static_cast<std::int64_t>(k));
  if (whole > k) whole -= 1;
  const double rest = k - whole;
  return rest < 1 ? rest : 0;
}

int log2(std::int64_t size) { return std::countr_zero(static_cast<std::uint64_t>(size)); }

struct Axis {
  double scale = 1, half = 0;  // G, W/2
  std::int32_t size = 1;
  int tileShift = 0, binShift = 0;  // log2 of the sizes in cells
};

struct Cell {
  std::int32_t first;
  double f;
};

inline Cell firstCell(double k, const Axis& axis) {
  const double low = axis.scale * folded(k) - axis.half;
  // ceil: `low` lies above -size, so that truncation after a shift by it rounds down.
  const double shifted = low + axis.size;
  std::int32_t first = static_cast<std::int32_t>(shifted);
  if (first < shifted) ++first;
  const double f = first - shifted;
  first -= axis.size;
  if (first < 0) first += axis.size;
  if (first >= axis.size) first -= axis.size;
  return {first, f};
}

template <class Real>
inline Real fraction(double f) {
  return std::min(static_cast<Real>(f), 1 - std::numeric_limits<Real>::epsilon() / 2);
}

// Numbers bins by tile, then by place in the tile; x fastest in both.
template <int dims>
class Binning {
 public:
  Binning(const GridLayout& layout, double width, std::int64_t points) : layout_(layout) {
    for (int d = 0; d < dims; ++d) {
      axes_[d] = {static_cast<double>(layout.grid[d]), width / 2, static_cast<std::int32_t>(layout.grid[d]),
                  log2(layout.tile[d]), log2(layout.bin[d])};
      bins_[d] = layout.bins[d];
    }
    if (points < minimumPointsPerBin * layout.tileCount() * product(layout.bins)) {
      for (int d = 0; d < dims; ++d) {  // one bin a tile
        axes_[d].binShift = axes_[d].tileShift;
        bins_[d] = 1;
      }
    }
    binsPerTile_ = product(bins_);
  }

  std::int64_t keys() const { return layout_.tileCount() * binsPerTile_; }
  std::int64_t binsPerTile() const { return binsPerTile_; }

  // Key of a point; false where a coordinate is not finite.
  inline bool key(const double* k, std::uint32_t& result) const {
    double check = 0;
    for (int d = 0; d < dims; ++d) check += k[d] * 0;
    if (check != 0) return false;
    std::int64_t tile = 0, bin = 0;
    for (int d = dims - 1; d >= 0; --d) {
      const std::uint32_t first = static_cast<std::uint32_t>(firstCell(k[d], axes_[d]).first);
      const std::uint32_t tileAt = first >> axes_[d].tileShift;
      const std::uint32_t inTile = first - (tileAt << axes_[d].tileShift);
      tile = tile * layout_.tiles[d] + tileAt;
      bin = bin * bins_[d] + (inTile >> axes_[d].binShift);
    }
    result = static_cast<std::uint32_t>(tile * binsPerTile_ + bin);
    return true;
  }

  template <class Real>
  inline void place(const double* k, SortedPoint<Real, dims>& record) const {
    std::int64_t offset = 0;
    for (int d = 0; d < dims; ++d) {
      const Cell cell = firstCell(k[d], axes_[d]);
      const std::uint32_t mask = (1u << axes_[d].tileShift) - 1;
      const std::uint32_t inTile = static_cast<std::uint32_t>(cell.first) & mask;
      offset += inTile * layout_.stride[d];
      record.f[d] = fraction<Real>(cell.f);
    }
    record.offset = static_cast<std::uint32_t>(offset);
  }

 private:
  const GridLayout& layout_;
  Axis axes_[dims];
  Index3 bins_{1, 1, 1};
  std::int64_t binsPerTile_ = 1;
};

[[noreturn]] void throwNotFinite(std::int64_t point, const double* k, int dims) {
  std::string values;
  for (int d = 0; d < dims; ++d) values += (d ? ", " : "") + std::to_string(k[d]);
  throw Error("Cannot set the points of a transform",
              "the coordinates (" + values + ") of point " + std::to_string(point) + " are not finite",
              "Check the trajectory, or leave these samples out");
}

template <class Real, int dims>
void sortPoints(const double* points, std::int64_t count, const GridLayout& layout, double width, int threads,
                SortedPoints<Real>& sorted) {
  using Point = SortedPoint<Real, dims>;
  const Binning<dims> binning(layout, width, count);
  const std::int64_t keys = binning.keys();
  if (threads <= 0) threads = hardwareThreads();
  const std::int64_t parts = std::clamp<std::int64_t>(count / minimumPointsPerThread, 1, threads);
  const auto begin = [&](std::int64_t part) { return count * part / parts; };

  Buffer<std::uint32_t> key(static_cast<std::size_t>(count));
  std::vector<std::int64_t> position(static_cast<std::size_t>(keys * parts), 0);
  std::atomic<std::int64_t> notFinite{-1};
  parallelTasks(parts, threads, [&](std::int64_t part) {
    std::int64_t* mine = position.data() + part * keys;
    for (std::int64_t j = begin(part); j < begin(part + 1); ++j) {
      if (!binning.key(points + j * dims, key[static_cast<std::size_t>(j)])) {
        notFinite = j;
        return;
      }
      ++mine[key[static_cast<std::size_t>(j)]];
    }
  });
  if (notFinite >= 0) throwNotFinite(notFinite, points + notFinite * dims, dims);

  // Counts become the places where each part writes its points of each bin.
  const std::int64_t tiles = layout.tileCount(), binsPerTile = binning.binsPerTile();
  sorted.tileBegin.assign(static_cast<std::size_t>(tiles + 1), count);
  std::int64_t sum = 0;
  for (std::int64_t k = 0; k < keys; ++k) {
    if (k % binsPerTile == 0) sorted.tileBegin[static_cast<std::size_t>(k / binsPerTile)] = sum;
    for (std::int64_t part = 0; part < parts; ++part) {
      std::int64_t& entry = position[static_cast<std::size_t>(part * keys + k)];
      sum += std::exchange(entry, sum);
    }
  }

  sorted.dims = dims;
  sorted.count = count;
  sorted.records.resize(static_cast<std::size_t>(count) * sizeof(Point));
  Point* records = reinterpret_cast<Point*>(sorted.records.data());
  parallelTasks(parts, threads, [&](std::int64_t part) {
    std::int64_t* mine = position.data() + part * keys;
    for (std::int64_t j = begin(part); j < begin(part + 1); ++j) {
      Point& record = records[mine[key[static_cast<std::size_t>(j)]]++];
      record.source = j;
      binning.place(points + j * dims, record);
    }
  });
}

}  // namespace

template <class Real>
std::int64_t SortedPoints<Real>::recordBytes() const {
  return static_cast<std::int64_t>(dims == 1   ? sizeof(SortedPoint<Real, 1>)
                                   : dims == 2 ? sizeof(SortedPoint<Real, 2>)
                                               : sizeof(SortedPoint<Real, 3>));
}

template <class Real>
void binSort(std::span<const double> points, const GridLayout& layout, double width, int threads,
             SortedPoints<Real>& sorted) {
  const std::int64_t count = static_cast<std::int64_t>(points.size()) / layout.dims;
  switch (layout.dims) {
    case 1: return sortPoints<Real, 1>(points.data(), count, layout, width, threads, sorted);
    case 2: return sortPoints<Real, 2>(points.data(), count, layout, width, threads, sorted);
    default: return sortPoints<Real, 3>(points.data(), count, layout, width, threads, sorted);
  }
}

template struct SortedPoints<float>;
template struct SortedPoints<double>;
template void binSort<float>(std::span<const double>, const GridLayout&, double, int, SortedPoints<float>&);
template void binSort<double>(std::span<const double>, const GridLayout&, double, int, SortedPoints<double>&);

}  // namespace spokelab
