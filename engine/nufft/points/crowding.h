// Finds the tiles in which points crowd (kernel/crowding.h).
#pragma once

#include <vector>

#include "engine/nufft/points/bin_sort.h"

namespace spokelab {

// Returns [tile] flags: 1 if a block of crowdBlockCells^dims cells in the tile has more than
// `limit` points. Empty: no tile is crowded. points must be sorted by this layout. threads <= 0:
// all.
template <class Real>
std::vector<std::uint8_t> crowdedTiles(const SortedPoints<Real>& points, const GridLayout& layout,
                                       std::int64_t limit, int threads);

extern template std::vector<std::uint8_t> crowdedTiles(const SortedPoints<float>&, const GridLayout&,
                                                       std::int64_t, int);
extern template std::vector<std::uint8_t> crowdedTiles(const SortedPoints<double>&, const GridLayout&,
                                                       std::int64_t, int);

}  // namespace spokelab
