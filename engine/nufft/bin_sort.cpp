#include "engine/nufft/bin_sort.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/huge_pages.h"
#include "engine/nufft/locate.h"

namespace spokelab {

namespace {

constexpr std::int64_t minimumPointsPerPart = 1 << 14;
constexpr std::int64_t blocksPerTask = 64;
// Below this average a bin's counter costs more than its order saves.
constexpr std::int64_t minimumPointsPerBin = 2;
constexpr std::int64_t prefetchDistance = 48;  // points

int log2(std::int64_t size) {
  return std::countr_zero(static_cast<std::uint64_t>(size));
}

// Numbers bins by tile, then by place in the tile; x fastest in both.
struct Binning {
  LocateAxis axes[3];
  std::int64_t binsPerTile = 1, keys = 1;

  Binning(const GridLayout& layout, double width, std::int64_t points) {
    Index3 bins = layout.bins, bin = layout.bin;
    if (points < minimumPointsPerBin * layout.tileCount() * product(bins)) {  // one bin a tile
      bins = {1, 1, 1};
      bin = layout.tile;
    }
    binsPerTile = product(bins);
    keys = layout.tileCount() * binsPerTile;
    if (keys > std::numeric_limits<std::uint32_t>::max()) {
      throw Error("Cannot set the points of a transform", "the grid has too many tiles",
                  "Choose larger tiles, or a smaller grid");
    }
    std::int64_t tileKey = binsPerTile, binKey = 1;
    for (int d = 0; d < layout.dims; ++d) {
      const auto at = static_cast<std::size_t>(d);
      axes[d].cells = static_cast<double>(layout.grid[at]);
      axes[d].halfWidth = width / 2;
      axes[d].tileShift = log2(layout.tile[at]);
      axes[d].binShift = log2(bin[at]);
      axes[d].tileKey = static_cast<std::uint32_t>(tileKey);
      axes[d].binKey = static_cast<std::uint32_t>(binKey);
      axes[d].stride = static_cast<std::uint32_t>(layout.stride[at]);
      tileKey *= layout.tiles[at];
      binKey *= bins[at];
    }
  }
};

[[noreturn]] void throwNotFinite(const double* points, std::int64_t begin, std::int64_t end, int dims) {
  std::int64_t point = begin;
  while (point + 1 < end && std::all_of(points + point * dims, points + (point + 1) * dims,
                                        [](double k) { return std::isfinite(k); })) {
    ++point;
  }
  std::string values;
  for (int d = 0; d < dims; ++d) values += (d ? ", " : "") + std::to_string(points[point * dims + d]);
  throw Error("Cannot set the points of a transform",
              "the coordinates (" + values + ") of point " + std::to_string(point) + " are not finite",
              "Check the trajectory, or leave these samples out");
}

// Index: type that counts points.
template <class Real, int dims, class Index>
class Sorter {
 public:
  Sorter(const double* points, std::int64_t count, const GridLayout& layout, double width, int threads)
      : points_(points),
        count_(count),
        layout_(layout),
        binning_(layout, width, count),
        threads_(threads <= 0 ? hardwareThreads() : threads),
        parts_(std::clamp<std::int64_t>(count / minimumPointsPerPart, 1, threads_)),
        locate_(locateFunction<Real>(instructionSet())) {}

  void sort(SortedPoints<Real>& sorted) {
    findBins();
    sorted.dims = dims;
    sorted.count = count_;
    countToPosition(sorted.tileBegin);
    findOrder();
    sorted.records.clear();
    sorted.records.resize(static_cast<std::size_t>(count_) * sizeof(SortedPoint<Real, dims>));
    useHugePages(sorted.records.data(), sorted.records.size());
    writeRecords(reinterpret_cast<SortedPoint<Real, dims>*>(sorted.records.data()));
  }

 private:
  std::int64_t begin(std::int64_t part) const { return count_ * part / parts_; }

  // The bin of every point, and how many points of each part are in each bin.
  void findBins() {
    key_.resize(static_cast<std::size_t>(count_));
    useHugePages(key_.data(), key_.size() * sizeof(std::uint32_t));
    position_.assign(static_cast<std::size_t>(binning_.keys * parts_), 0);
    std::atomic<std::int64_t> notFinite{-1};
    parallelTasks(parts_, threads_, [&](std::int64_t part) {
      Index* mine = position_.data() + part * binning_.keys;
      Located<Real> located;
      for (std::int64_t j = begin(part); j < begin(part + 1); j += locateBlock) {
        const int n = static_cast<int>(std::min<std::int64_t>(locateBlock, begin(part + 1) - j));
        if (!locate_(binning_.axes, dims, points_ + j * dims, n, located)) {
          notFinite = j;
          return;
        }
        std::uint32_t* keys = key_.data() + j;
        for (int i = 0; i < n; ++i) {
          keys[i] = located.key[i];
          ++mine[located.key[i]];
        }
      }
    });
    if (notFinite >= 0) throwNotFinite(points_, notFinite, std::min(count_, notFinite + locateBlock), dims);
  }

  // Counts become the places where each part puts its points of each bin.
  void countToPosition(std::vector<std::int64_t>& tileBegin) {
    const std::int64_t tiles = layout_.tileCount();
    tileBegin.assign(static_cast<std::size_t>(tiles + 1), count_);
    Index sum = 0;
    std::int64_t key = 0;
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
      tileBegin[static_cast<std::size_t>(tile)] = static_cast<std::int64_t>(sum);
      for (const std::int64_t end = key + binning_.binsPerTile; key < end; ++key) {
        for (std::int64_t part = 0; part < parts_; ++part) {
          Index& entry = position_[static_cast<std::size_t>(part * binning_.keys + key)];
          sum += std::exchange(entry, sum);
        }
      }
    }
  }

  void findOrder() {
    order_.resize(static_cast<std::size_t>(count_));
    useHugePages(order_.data(), order_.size() * sizeof(Index));
    parallelTasks(parts_, threads_, [&](std::int64_t part) {
      Index* mine = position_.data() + part * binning_.keys;
      for (std::int64_t j = begin(part); j < begin(part + 1); ++j) {
        order_[static_cast<std::size_t>(mine[key_[static_cast<std::size_t>(j)]]++)] = static_cast<Index>(j);
      }
    });
  }

  void writeRecords(SortedPoint<Real, dims>* records) const {
    parallelFor(count_, threads_, locateBlock * blocksPerTask, [&](std::int64_t first, std::int64_t last) {
      Located<Real> located;
      double k[locateBlock * dims];
      for (std::int64_t j = first; j < last; j += locateBlock) {
        const int n = static_cast<int>(std::min<std::int64_t>(locateBlock, last - j));
        const Index* order = order_.data() + j;
        for (int i = 0; i < n; ++i) {
          if (j + i + prefetchDistance < last) {
            __builtin_prefetch(points_ + static_cast<std::int64_t>(order[i + prefetchDistance]) * dims);
          }
          const double* from = points_ + static_cast<std::int64_t>(order[i]) * dims;
          for (int d = 0; d < dims; ++d) k[i * dims + d] = from[d];
        }
        locate_(binning_.axes, dims, k, n, located);
        for (int i = 0; i < n; ++i) {
          SortedPoint<Real, dims>& record = records[j + i];
          record.source = static_cast<std::int64_t>(order[i]);
          record.offset = located.offset[i];
          for (int d = 0; d < dims; ++d) record.f[d] = located.f[d][i];
        }
      }
    });
  }

  const double* points_;
  std::int64_t count_;
  const GridLayout& layout_;
  Binning binning_;
  int threads_;
  std::int64_t parts_;  // of the points, one a thread
  LocateFunction<Real> locate_;
  Buffer<std::uint32_t> key_;    // [point]
  std::vector<Index> position_;  // [part, bin]
  Buffer<Index> order_;          // [sorted point]: index as given
};

template <class Real, int dims>
void sortPoints(std::span<const double> points, const GridLayout& layout, double width, int threads,
                SortedPoints<Real>& sorted) {
  const auto count = static_cast<std::int64_t>(points.size()) / dims;
  if (count <= std::numeric_limits<std::uint32_t>::max()) {
    Sorter<Real, dims, std::uint32_t>(points.data(), count, layout, width, threads).sort(sorted);
  } else {
    Sorter<Real, dims, std::int64_t>(points.data(), count, layout, width, threads).sort(sorted);
  }
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
  switch (layout.dims) {
    case 1:
      return sortPoints<Real, 1>(points, layout, width, threads, sorted);
    case 2:
      return sortPoints<Real, 2>(points, layout, width, threads, sorted);
    default:
      return sortPoints<Real, 3>(points, layout, width, threads, sorted);
  }
}

template struct SortedPoints<float>;
template struct SortedPoints<double>;
template void binSort<float>(std::span<const double>, const GridLayout&, double, int, SortedPoints<float>&);
template void binSort<double>(std::span<const double>, const GridLayout&, double, int, SortedPoints<double>&);

}  // namespace spokelab
