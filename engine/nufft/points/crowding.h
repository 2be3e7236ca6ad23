// Finds the tiles in which points crowd (kernel/crowding.h).
#pragma once

#include <vector>

#include "engine/nufft/points/bin_sort.h"

namespace spokelab {

// [tile]: 1 where some block of crowdBlockCells a side has more points than the limit; empty where
// no tile is crowded.
template <class Real>
std::vector<std::uint8_t> crowdedTiles(const SortedPoints<Real>& points, const GridLayout& layout,
                                       std::int64_t limit, int threads);

extern template std::vector<std::uint8_t> crowdedTiles(const SortedPoints<float>&, const GridLayout&,
                                                       std::int64_t, int);
extern template std::vector<std::uint8_t> crowdedTiles(const SortedPoints<double>&, const GridLayout&,
                                                       std::int64_t, int);

}  // namespace spokelab
