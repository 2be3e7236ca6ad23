// Finds the tiles in which points crowd (kernel/crowding.h).
#pragma once

#include <vector>

#include "engine/nufft/points/bin_sort.h"

namespace spokelab {

// [tile]: 1 where some block of crowdBlockCells a side has more than maxPointsPerCrowdBlock points.
template <class Real>
std::vector<std::uint8_t> crowdedTiles(const SortedPoints<Real>& points, const GridLayout& layout,
                                       int threads);

extern template std::vector<std::uint8_t> crowdedTiles(const SortedPoints<float>&, const GridLayout&, int);
extern template std::vector<std::uint8_t> crowdedTiles(const SortedPoints<double>&, const GridLayout&, int);

}  // namespace spokelab
