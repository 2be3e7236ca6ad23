// Sorts points by the place of their first grid cell (locate.h), so that spreading and
// interpolation work on a few cells at a time. Points are counted by bin, then located once more
// and written to their bin. With too many bins, both steps use tiles instead, and the points of a
// tile are then sorted by bin in pieces that fit into the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/nufft/points/grid_layout.h"

namespace spokelab {

template <class Real, int dims>
struct SortedPoint {
  std::int64_t source;   // index of the point as it was given
  std::uint32_t offset;  // first cell, counted from the first cell of its tile
  Real f[dims];          // fractions
};

template <class Real>
struct SortedPoints {
  int dims = 1;
  std::int64_t count = 0;
  // SortedPoint<Real, dims>[count], by tile, then in runs by bin.
  Buffer<std::byte> records;
  std::vector<std::int64_t> tileBegin;  // [tiles + 1]
  // [tiles]: no bin of the tile has more points. Bins are as wide as some blocks in which points
  // may crowd (kernel/crowding.h), or as their tile.
  std::vector<std::int64_t> mostInBin;

  template <int d>
  const SortedPoint<Real, d>* as() const {
    return reinterpret_cast<const SortedPoint<Real, d>*>(records.data());
  }
  std::int64_t recordBytes() const;
};

// points: [M, dims] interleaved, cycles per pixel. The order depends on the points alone, not on
// the number of threads. `sorted` may hold earlier points; its memory is used again. Throws Error
// for a coordinate that is not finite; `sorted` is then as it was.
template <class Real>
void binSort(std::span<const double> points, const GridLayout& layout, double width, int threads,
             SortedPoints<Real>& sorted);

extern template void binSort<float>(std::span<const double>, const GridLayout&, double, int,
                                    SortedPoints<float>&);
extern template void binSort<double>(std::span<const double>, const GridLayout&, double, int,
                                     SortedPoints<double>&);

}  // namespace spokelab
