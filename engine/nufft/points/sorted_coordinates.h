// The coordinates of sorted points, computed from their records: cycles per pixel in [0, 1), exact
// but for the rounding of a fraction of a cell. A point spread function needs them once, so that
// plans need not keep the coordinates.
#pragma once

#include <vector>

#include "engine/nufft/points/bin_sort.h"

namespace spokelab {

// [M, dims] interleaved, in sorted order; k = (i0 - f + W/2) / G (locate.h).
template <class Real>
std::vector<double> sortedCoordinates(const SortedPoints<Real>& points, const GridLayout& layout,
                                      double width, int threads);

extern template std::vector<double> sortedCoordinates(const SortedPoints<float>&, const GridLayout&, double,
                                                      int);
extern template std::vector<double> sortedCoordinates(const SortedPoints<double>&, const GridLayout&, double,
                                                      int);

}  // namespace spokelab
