// The memory layout of an oversampled grid, and its division into tiles.
//
// Cell (x, y, z), 0 <= x < G_x ..., has the index x + y stride[1] + z stride[2]. Behind the last
// cell of each dimension follows a halo of cells that repeat cells 0, 1, ... (the grid is
// periodic): a point whose first cell is below G touches `reach` cells upwards without a test for
// the wrap. Row strides are odd multiples of a cache line, so that the rows one point touches do
// not fall on the same few cache sets.
//
// Tiles are boxes of whole cells, at least as wide as a point reaches, so that points of two tiles
// whose index has the same parity in every dimension never touch a common cell. The last tile may
// be narrower: cells beyond it are in the halo. Points are sorted by tile, and within it by bins,
// small boxes that keep neighbours together. Tiles whose widths differ, because they follow the
// points (partition.h), are called partitions.
#pragma once

#include <array>
#include <vector>

#include "engine/core/array.h"

namespace spokelab {

struct GridLayout {
  int dims = 1;
  Index3 grid{1, 1, 1};    // G
  Index3 halo{0, 0, 0};    // cells behind the last one
  Index3 stride{1, 0, 0};  // in cells
  std::int64_t cells = 0;  // in memory, halo and padding included

  Index3 tile{1, 1, 1};   // cells of a tile, a power of two; of partitions the widest, any number
  Index3 tiles{1, 1, 1};  // tiles a dimension
  Index3 bin{1, 1, 1};    // cells a bin, a power of two
  Index3 bins{1, 1, 1};   // bins a tile and dimension
  // The first cell of each partition, and G behind them; in x whole cache lines. Empty: tiles of
  // one size.
  std::array<std::vector<std::int64_t>, 3> edges;

  std::int64_t tileCount() const { return product(tiles); }
  Index3 tilePosition(std::int64_t tileIndex) const {  // in tiles; x fastest
    return {tileIndex % tiles[0], tileIndex / tiles[0] % tiles[1], tileIndex / (tiles[0] * tiles[1])};
  }
  Index3 tileBegin(std::int64_t tileIndex) const {  // its first cell
    const Index3 at = tilePosition(tileIndex);
    if (edges[0].empty()) return {at[0] * tile[0], at[1] * tile[1], at[2] * tile[2]};
    Index3 begin{0, 0, 0};
    for (std::size_t d = 0; d < std::size_t(dims); ++d) begin[d] = edges[d][std::size_t(at[d])];
    return begin;
  }
  // In cells; the last tile of a dimension may reach beyond the grid.
  Index3 tileSize(std::int64_t tileIndex) const {
    if (edges[0].empty()) return tile;
    const Index3 at = tilePosition(tileIndex);
    Index3 size{1, 1, 1};
    for (std::size_t d = 0; d < std::size_t(dims); ++d)
      size[d] = edges[d][std::size_t(at[d]) + 1] - edges[d][std::size_t(at[d])];
    return size;
  }
  std::int64_t tileOrigin(std::int64_t tileIndex) const {  // offset of its first cell
    const Index3 begin = tileBegin(tileIndex);
    return begin[0] + begin[1] * stride[1] + begin[2] * stride[2];
  }
};

// reach: cells a point touches in y and z (ceil(W)); reachX: the same in x, rounded up to whole
// vectors. wanted: tile size asked for; 0: by the number of dimensions. cellBytes: size of one
// complex number.
GridLayout makeGridLayout(int dims, const Index3& grid, int reach, int reachX, const Index3& wanted,
                          int cellBytes);

// Cells of the bins that tiles are cut into.
Index3 defaultBin(int dims);

}  // namespace spokelab
