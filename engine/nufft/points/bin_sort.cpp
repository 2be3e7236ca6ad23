#include "engine/nufft/points/bin_sort.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory/huge_pages.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/points/locate.h"

namespace spokelab {

namespace {

// With fewer coordinates for each thread one thread is faster than all: it sorts them while the
// others wake up (23,000 points in 1-D: 0.27 ms on 16 threads, 0.15 ms on one).
constexpr std::int64_t minCoordinatesOfAThread = 1 << 11;
// Below this average a bin's counter costs more than its order saves.
constexpr std::int64_t minPointsPerBin = 2;

// Points are written directly to their bins if there are at most this many bins: one open cache
// line for each bin fits into half of the second-level cache. There must also be so many points for
// each bin that the threads' counters cost less than a second sort; few points have one thread.
// Nothing here may depend on the number of threads, as the order does.
std::int64_t maxCounters(std::int64_t points) {
  constexpr std::int64_t lineBytes = 64, usualCacheBytes = 1 << 20, fewPoints = 1 << 15;
  static const std::int64_t cacheBytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return std::min((cacheBytes > 0 ? cacheBytes : usualCacheBytes) / 2 / lineBytes,
                  points / (points <= fewPoints ? 2 : 16));
}
// Otherwise points are written to their tiles first, and each tile is then sorted by bin in pieces.
// A piece and its copy fit into the second-level cache.
constexpr std::int64_t pointsPerPiece = 1 << 13;
// Pieces of partitions are larger. Partitions are wide, and small pieces would leave close points
// far apart in the list.
constexpr std::int64_t pointsPerPartitionPiece = 1 << 18;
constexpr int grainsPerThread = 16;
// Threads that are still asleep leave their parts to the first ones, if there are several parts for
// each thread, and their counters are few.
constexpr int partsPerThread = 4;
constexpr std::int64_t maxPartCounters = 1 << 16;
constexpr std::int64_t countersOfOneThread = 1 << 14;

int threadsFor(std::int64_t coordinates, int threads) {
  const int all = threads <= 0 ? hardwareThreads() : threads;
  return coordinates < minCoordinatesOfAThread * all ? 1 : all;
}

int log2(std::int64_t size) {
  return std::countr_zero(static_cast<std::uint64_t>(size));
}

// Numbers bins by tile, then by place in the tile; x fastest in both.
struct Binning {
  LocateAxis axes[3];
  std::vector<std::uint32_t> cellKey[3], cellOffset[3];  // of partitions
  int binBits = 0;                                       // key = tile << binBits | bin
  std::int64_t tiles = 1;

  Binning(const GridLayout& layout, double width, std::int64_t points) {
    Index3 bins = layout.bins, bin = layout.bin;
    const bool partitions = !layout.edges[0].empty();
    while (points < minPointsPerBin * layout.tileCount() * product(bins) && product(bins) > 1) {
      if (!partitions) {  // one bin a tile
        bins = {1, 1, 1};
        bin = layout.tile;
        break;
      }
      for (int d = 0; d < layout.dims; ++d) {  // partitions may be wide: coarser bins
        bin[d] *= 2;
        bins[d] = (layout.tile[d] + bin[d] - 1) / bin[d];
      }
    }
    binBits = std::bit_width(static_cast<std::uint64_t>(product(bins) - 1));
    tiles = layout.tileCount();
    if (tiles << binBits > std::numeric_limits<std::uint32_t>::max()) {
      throw Error("Cannot set the points of a transform", "the grid has too many tiles",
                  "Choose larger tiles, or a smaller grid");
    }
    std::int64_t tileKey = std::int64_t{1} << binBits, binKey = 1;
    for (int d = 0; d < layout.dims; ++d) {
      const auto at = static_cast<std::size_t>(d);
      axes[d].cells = static_cast<double>(layout.grid[at]);
      axes[d].halfWidth = width / 2;
      if (partitions) {
        tabulate(d, layout, bin[at], tileKey, binKey);
        tileKey *= layout.tiles[at];
        binKey *= bins[at];
        continue;
      }
      axes[d].tileShift = log2(layout.tile[at]);
      axes[d].binShift = log2(bin[at]);
      axes[d].tileKey = static_cast<std::uint32_t>(tileKey);
      axes[d].binKey = static_cast<std::uint32_t>(binKey);
      axes[d].stride = static_cast<std::uint32_t>(layout.stride[at]);
      tileKey *= layout.tiles[at];
      binKey *= bins[at];
    }
  }

 private:
  void tabulate(int d, const GridLayout& layout, std::int64_t bin, std::int64_t tileKey,
                std::int64_t binKey) {
    const auto at = static_cast<std::size_t>(d);
    const std::vector<std::int64_t>& edges = layout.edges[at];
    cellKey[d].resize(static_cast<std::size_t>(layout.grid[at]));
    cellOffset[d].resize(cellKey[d].size());
    for (std::size_t tile = 0; tile + 1 < edges.size(); ++tile)
      for (std::int64_t cell = edges[tile]; cell < edges[tile + 1]; ++cell) {
        const std::int64_t inTile = cell - edges[tile];
        cellKey[d][static_cast<std::size_t>(cell)] =
            static_cast<std::uint32_t>(static_cast<std::int64_t>(tile) * tileKey + inTile / bin * binKey);
        cellOffset[d][static_cast<std::size_t>(cell)] =
            static_cast<std::uint32_t>(inTile * layout.stride[at]);
      }
    axes[d].cellKey = cellKey[d].data();
    axes[d].cellOffset = cellOffset[d].data();
  }
};

[[noreturn]] void throwNotFinite(const double* points, std::int64_t begin, std::int64_t end, int dims) {
  std::int64_t point = begin;
  while (point + 1 < end && std::all_of(points + point * dims, points + (point + 1) * dims,
                                        [](double k) { return std::isfinite(k); })) {
    ++point;
  }
  std::string values;
  for (int d = 0; d < dims; ++d) values += (d ? ", " : "") + numberText(points[point * dims + d]);
  throw Error("Cannot set the points of a transform",
              "the coordinates (" + values + ") of point " + std::to_string(point) + " are not finite",
              "Check the trajectory, or leave these samples out");
}

template <class Real, int dims, class Index>
class Sorter {
 public:
  Sorter(const double* points, std::int64_t count, const GridLayout& layout, double width, int threads)
      : points_(points),
        count_(count),
        layout_(layout),
        binning_(layout, width, count),
        threads_(threadsFor(count * dims, threads)),
        direct_((binning_.tiles << binning_.binBits) <= maxCounters(count)),
        keyShift_(direct_ ? 0 : binning_.binBits),
        binsCounted_(std::int64_t{1} << (binning_.binBits - keyShift_)),
        parts_(threads_ == 1 || counters() * threads_ * partsPerThread > maxPartCounters
                   ? threads_
                   : threads_ * partsPerThread),
        locate_(locateFunction<Real>(instructionSet())) {}

  void sort(SortedPoints<Real>& sorted) {
    countPoints();
    sorted.dims = dims;
    sorted.count = count_;
    countToPosition(sorted.tileBegin, sorted.mostInBin);
    sorted.records.clear();
    sorted.records.resize(static_cast<std::size_t>(count_) * sizeof(SortedPoint<Real, dims>));
    useHugePages(sorted.records.data(), sorted.records.size());
    auto* records = reinterpret_cast<Record*>(sorted.records.data());
    writeRecords(records);
    if (keyShift_ > 0) sortPieces(sorted.tileBegin, records, sorted.mostInBin);
  }

 private:
  using Record = SortedPoint<Real, dims>;
  struct Piece {
    std::int64_t tile, begin, end;  // points, all of one tile
    std::int64_t mostInBin = 0;
  };
  std::int64_t begin(std::int64_t part) const { return count_ * part / parts_; }

  std::int64_t counters() const { return binning_.tiles * binsCounted_; }

  void countPoints() {
    position_.resize(static_cast<std::size_t>(counters() * parts_));
    std::atomic<std::int64_t> notFinite{-1};
    parallelTasks(parts_, threads_, [&](std::int64_t part) {
      Index* mine = position_.data() + part * counters();
      std::fill_n(mine, counters(), Index{0});
      Located<Real> located;
      for (std::int64_t j = begin(part); j < begin(part + 1); j += pointsPerLocate) {
        const int n = static_cast<int>(std::min<std::int64_t>(pointsPerLocate, begin(part + 1) - j));
        if (!locate_(binning_.axes, dims, points_ + j * dims, n, true, located)) {
          notFinite = j;
          return;
        }
        for (int i = 0; i < n; ++i) ++mine[located.key[i] >> keyShift_];
      }
    });
    if (notFinite >= 0)
      throwNotFinite(points_, notFinite, std::min(count_, notFinite + pointsPerLocate), dims);
  }

  // Counts become the places where each part puts its points of each tile, or bin.
  void countToPosition(std::vector<std::int64_t>& tileBegin, std::vector<std::int64_t>& mostInBin) {
    tileBegin.assign(static_cast<std::size_t>(binning_.tiles + 1), 0);
    mostInBin.assign(static_cast<std::size_t>(binning_.tiles), 0);
    // All threads work or one does: a pool that changes its width wakes threads up late.
    const bool few = counters() * parts_ <= countersOfOneThread;
    const std::int64_t grain = few ? binning_.tiles : (binning_.tiles + threads_ - 1) / threads_;
    const auto everyTile = [&](const auto& work) {
      parallelFor(binning_.tiles, threads_, grain, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t tile = first; tile < last; ++tile) work(tile, static_cast<std::size_t>(tile));
      });
    };
    everyTile([&](std::int64_t tile, std::size_t at) {
      std::int64_t inTile = 0;
      for (std::int64_t bin = tile * binsCounted_; bin < (tile + 1) * binsCounted_; ++bin) {
        std::int64_t inBin = 0;
        for (std::int64_t part = 0; part < parts_; ++part) inBin += count(part, bin);
        mostInBin[at] = std::max(mostInBin[at], inBin);
        inTile += inBin;
      }
      tileBegin[at + 1] = inTile;
    });
    for (std::size_t tile = 1; tile < tileBegin.size(); ++tile) tileBegin[tile] += tileBegin[tile - 1];
    everyTile([&](std::int64_t tile, std::size_t at) {
      auto sum = static_cast<Index>(tileBegin[at]);
      for (std::int64_t bin = tile * binsCounted_; bin < (tile + 1) * binsCounted_; ++bin)
        for (std::int64_t part = 0; part < parts_; ++part) sum += std::exchange(count(part, bin), sum);
    });
  }
  Index& count(std::int64_t part, std::int64_t bin) {
    return position_[static_cast<std::size_t>(part * counters() + bin)];
  }

  // Reads points in the order in which they were given and writes them to their tiles, or bins: the
  // cache lines that are written to, one for each, stay in the cache. The upper bits of the source
  // keep the bin for sortPieces.
  void writeRecords(Record* records) {
    const std::uint32_t binMask = (std::uint32_t{1} << keyShift_) - 1;
    parallelTasks(parts_, threads_, [&](std::int64_t part) {
      Index* mine = position_.data() + part * counters();
      Located<Real> located;
      for (std::int64_t j = begin(part); j < begin(part + 1); j += pointsPerLocate) {
        const int n = static_cast<int>(std::min<std::int64_t>(pointsPerLocate, begin(part + 1) - j));
        locate_(binning_.axes, dims, points_ + j * dims, n, false, located);
        Index place[pointsPerLocate];
        for (int i = 0; i < n; ++i) {
          place[i] = mine[located.key[i] >> keyShift_]++;
          __builtin_prefetch(records + place[i], 1);
        }
        for (int i = 0; i < n; ++i) {
          Record& record = records[place[i]];
          record.source = (j + i) | static_cast<std::int64_t>(located.key[i] & binMask) << binShift();
          record.offset = located.offset[i];
          for (int d = 0; d < dims; ++d) record.f[d] = located.f[d][i];
        }
      }
    });
  }

  // Leaves room for 2^36 points beside the bins of the largest tile.
  int binShift() const { return 62 - binning_.binBits; }

  // Sorts each tile's points by bin, a piece of the tile at a time.
  void sortPieces(const std::vector<std::int64_t>& tileBegin, Record* records,
                  std::vector<std::int64_t>& mostInBin) const {
    std::vector<Piece> pieces;
    const std::int64_t maxPoints = layout_.edges[0].empty() ? pointsPerPiece : pointsPerPartitionPiece;
    std::int64_t longest = 0;
    for (std::int64_t tile = 0; tile < binning_.tiles; ++tile) {
      const std::int64_t end = tileBegin[static_cast<std::size_t>(tile + 1)];
      for (std::int64_t at = tileBegin[static_cast<std::size_t>(tile)]; at < end; at += maxPoints) {
        pieces.push_back({tile, at, std::min(end, at + maxPoints)});
        longest = std::max(longest, pieces.back().end - at);
      }
    }
    const auto count = static_cast<std::int64_t>(pieces.size());
    const std::int64_t grain = std::max<std::int64_t>(1, count / (std::int64_t{threads_} * grainsPerThread));
    parallelFor(count, threads_, grain, [&](std::int64_t first, std::int64_t last) {
      std::vector<std::int32_t> place(std::size_t{1} << binning_.binBits);
      Buffer<Record> copy(static_cast<std::size_t>(longest));
      for (std::int64_t i = first; i < last; ++i) {
        sortPiece(pieces[static_cast<std::size_t>(i)], records, place, copy.data());
      }
    });
    mostInBin.assign(mostInBin.size(), 0);
    for (const Piece& piece : pieces) mostInBin[static_cast<std::size_t>(piece.tile)] += piece.mostInBin;
  }

  void sortPiece(Piece& piece, Record* records, std::vector<std::int32_t>& place, Record* copy) const {
    const int shift = binShift();
    const std::int64_t sourceMask = (std::int64_t{1} << shift) - 1;
    const auto count = static_cast<std::int32_t>(piece.end - piece.begin);
    Record* piecesRecords = records + piece.begin;
    std::fill(place.begin(), place.end(), 0);
    for (std::int32_t i = 0; i < count; ++i) {
      copy[i] = piecesRecords[i];
      ++place[static_cast<std::size_t>(copy[i].source >> shift)];
    }
    piece.mostInBin = *std::max_element(place.begin(), place.end());
    std::int32_t sum = 0;
    for (std::int32_t& entry : place) sum += std::exchange(entry, sum);
    for (std::int32_t i = 0; i < count; ++i) {
      Record& to = piecesRecords[place[static_cast<std::size_t>(copy[i].source >> shift)]++];
      to = copy[i];
      to.source &= sourceMask;
    }
  }

  const double* points_;
  std::int64_t count_;
  const GridLayout& layout_;
  Binning binning_;
  int threads_;
  bool direct_;               // points are written to their bins at once
  int keyShift_;              // of a key, to the counter
  std::int64_t binsCounted_;  // of each tile: all, or 1
  std::int64_t parts_;        // into which the points are cut
  LocateFunction<Real> locate_;
  Buffer<Index> position_;  // [part, tile, bin]
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
