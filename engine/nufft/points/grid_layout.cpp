#include "engine/nufft/points/grid_layout.h"

#include <algorithm>
#include <bit>

namespace spokelab {

namespace {

constexpr std::int64_t cacheLineBytes = 64;

std::int64_t roundUp(std::int64_t n, std::int64_t step) {
  return (n + step - 1) / step * step;
}

std::int64_t powerOfTwo(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
}

// Cells of the smallest odd number of cache lines that hold n cells: with an even number, rows
// would fall on the same cache sets.
std::int64_t oddLines(std::int64_t n, std::int64_t cellsPerLine) {
  return (roundUp(n, cellsPerLine) / cellsPerLine | 1) * cellsPerLine;
}

// A tile with its halo fits into the second-level cache.
Index3 defaultTile(int dims) {
  switch (dims) {
    case 1:
      return {4096, 1, 1};
    case 2:
      return {64, 32, 1};
    default:
      return {32, 16, 16};
  }
}

}  // namespace

// A bin with its halo fits into the first-level cache.
Index3 defaultBin(int dims) {
  switch (dims) {
    case 1:
      return {64, 1, 1};
    case 2:
      return {16, 4, 1};
    default:
      return {16, 4, 4};
  }
}

GridLayout makeGridLayout(int dims, const Index3& grid, int reach, int reachX, const Index3& wanted,
                          int cellBytes) {
  GridLayout layout;
  layout.dims = dims;
  layout.grid = grid;
  const std::int64_t cellsPerLine = std::max<std::int64_t>(1, cacheLineBytes / cellBytes);
  const Index3 tile = defaultTile(dims), bin = defaultBin(dims);
  Index3 padded{1, 1, 1};
  for (int d = 0; d < dims; ++d) {
    const std::int64_t touched = d == 0 ? reachX : reach;
    layout.halo[d] = touched - 1;
    padded[d] = grid[d] + layout.halo[d];
    layout.bin[d] = bin[d];
    const std::int64_t width = std::max(touched, wanted[d] > 0 ? wanted[d] : tile[d]);
    layout.tile[d] = powerOfTwo(std::max(std::min(width, grid[d]), bin[d]));
    layout.tiles[d] = (grid[d] + layout.tile[d] - 1) / layout.tile[d];
    layout.bins[d] = layout.tile[d] / bin[d];
  }
  if (dims > 1) padded[0] = oddLines(padded[0], cellsPerLine);
  layout.stride = {1, dims > 1 ? padded[0] : 0, dims > 2 ? padded[0] * padded[1] : 0};
  // reachX spare cells: the last point's last vector may read beyond the last row.
  layout.cells = padded[0] * padded[1] * padded[2] + reachX;
  return layout;
}

}  // namespace spokelab
