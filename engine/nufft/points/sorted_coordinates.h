// Coordinates and values in the order of sorted points. Coordinates are computed from the points'
// records: cycles per pixel in [0, 1), exact but for the rounding of a fraction of a cell. A point
// spread function needs them once, so that plans need not keep the coordinates.
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

// to[j] = values[source of sorted point j].
template <class Real, class Value>
void gatherSorted(const SortedPoints<Real>& points, const std::vector<double>& values, Value* to) {
  const auto gather = [&](const auto* point) {
    for (std::int64_t j = 0; j < points.count; ++j)
      to[j] = static_cast<Value>(values[static_cast<std::size_t>(point[j].source)]);
  };
  if (points.dims == 1) return gather(points.template as<1>());
  points.dims == 2 ? gather(points.template as<2>()) : gather(points.template as<3>());
}

}  // namespace spokelab
