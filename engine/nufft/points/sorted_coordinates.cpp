#include "engine/nufft/points/sorted_coordinates.h"

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

template <class Real, int dims>
void tileCoordinates(const SortedPoints<Real>& points, const GridLayout& layout, double width,
                     std::int64_t tile, double* coordinates) {
  const SortedPoint<Real, dims>* point = points.template as<dims>();
  const Index3 first = layout.tileBegin(tile);
  const auto index = static_cast<std::size_t>(tile);
  for (std::int64_t j = points.tileBegin[index]; j < points.tileBegin[index + 1]; ++j) {
    std::int64_t rest = point[j].offset;
    for (int d = dims - 1; d >= 0; --d) {
      const auto axis = static_cast<std::size_t>(d);
      const std::int64_t inTile = rest / layout.stride[axis];
      rest %= layout.stride[axis];
      const auto cell = static_cast<double>(first[axis] + inTile);
      const double x = cell - static_cast<double>(point[j].f[d]) + width / 2;
      const double k = x / static_cast<double>(layout.grid[axis]);
      coordinates[j * dims + d] = k < 1 ? k : k - 1;
    }
  }
}

}  // namespace

template <class Real>
std::vector<double> sortedCoordinates(const SortedPoints<Real>& points, const GridLayout& layout,
                                      double width, int threads) {
  std::vector<double> coordinates(static_cast<std::size_t>(points.count * layout.dims));
  parallelTasks(layout.tileCount(), threads, [&](std::int64_t tile) {
    switch (layout.dims) {
      case 1:
        return tileCoordinates<Real, 1>(points, layout, width, tile, coordinates.data());
      case 2:
        return tileCoordinates<Real, 2>(points, layout, width, tile, coordinates.data());
      default:
        return tileCoordinates<Real, 3>(points, layout, width, tile, coordinates.data());
    }
  });
  return coordinates;
}

template std::vector<double> sortedCoordinates(const SortedPoints<float>&, const GridLayout&, double, int);
template std::vector<double> sortedCoordinates(const SortedPoints<double>&, const GridLayout&, double, int);

}  // namespace spokelab
