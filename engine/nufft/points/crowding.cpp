#include "engine/nufft/points/crowding.h"

#include <algorithm>

#include "engine/core/thread_pool.h"
#include "engine/nufft/kernel/crowding.h"
#include "engine/nufft/points/offset_split.h"

namespace spokelab {
namespace {

constexpr std::int64_t tasksPerThread = 8;

template <class Real, int dims>
bool isCrowded(const SortedPoint<Real, dims>* points, std::int64_t count, const GridLayout& layout,
               const Index3& size, std::int64_t limit, std::vector<std::uint32_t>& counts) {
  Index3 blocks{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(dims); ++d)
    blocks[d] = (size[d] + crowdBlockCells - 1) / crowdBlockCells;
  if (count > limit * product(blocks)) return true;
  counts.assign(static_cast<std::size_t>(product(blocks)), 0);
  const OffsetSplit<dims> split(layout);
  for (std::int64_t j = 0; j < count; ++j) {
    const CellPosition at = split(points[j].offset);
    const std::int64_t block =
        at.x / crowdBlockCells +
        blocks[0] * (at.y / crowdBlockCells + blocks[1] * std::int64_t{at.z / crowdBlockCells});
    if (++counts[static_cast<std::size_t>(block)] > limit) return true;
  }
  return false;
}

template <class Real, int dims>
std::vector<std::uint8_t> crowdedOf(const SortedPoints<Real>& points, const GridLayout& layout,
                                    std::int64_t limit, int threads) {
  const auto fullestBin = std::max_element(points.mostInBin.begin(), points.mostInBin.end());
  if (*fullestBin <= limit) return {};
  std::vector<std::uint8_t> crowded(static_cast<std::size_t>(layout.tileCount()), 0);
  const std::int64_t tasks = tasksPerThread * (threads > 0 ? threads : hardwareThreads());
  parallelFor(
      layout.tileCount(), threads, layout.tileCount() / tasks, [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::uint32_t> counts;
        for (auto tile = static_cast<std::size_t>(begin); tile < static_cast<std::size_t>(end); ++tile) {
          const std::int64_t first = points.tileBegin[tile];
          if (points.mostInBin[tile] <= limit) continue;
          crowded[tile] =
              isCrowded<Real, dims>(points.template as<dims>() + first, points.tileBegin[tile + 1] - first,
                                    layout, layout.tileSize(static_cast<std::int64_t>(tile)), limit, counts);
        }
      });
  if (std::find(crowded.begin(), crowded.end(), 1) == crowded.end()) crowded.clear();
  return crowded;
}

}  // namespace

template <class Real>
std::vector<std::uint8_t> crowdedTiles(const SortedPoints<Real>& points, const GridLayout& layout,
                                       std::int64_t limit, int threads) {
  if (points.count <= limit) return {};
  switch (layout.dims) {
    case 1:
      return crowdedOf<Real, 1>(points, layout, limit, threads);
    case 2:
      return crowdedOf<Real, 2>(points, layout, limit, threads);
    default:
      return crowdedOf<Real, 3>(points, layout, limit, threads);
  }
}

template std::vector<std::uint8_t> crowdedTiles(const SortedPoints<float>&, const GridLayout&, std::int64_t,
                                                int);
template std::vector<std::uint8_t> crowdedTiles(const SortedPoints<double>&, const GridLayout&, std::int64_t,
                                                int);

}  // namespace spokelab
