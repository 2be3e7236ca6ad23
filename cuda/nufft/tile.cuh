// A bin with the kernel's overhang as a block works on it: where it lies, its cells, its wrap round the grid.
#pragma once

#include "cuda/nufft/bin_sort.h"

namespace spokelab::gpu {

struct Tile {
  int origin[3];  // first cell in the grid
  int size[3];    // cells with the overhang, in memory x fastest

  __device__ __forceinline__ int volume() const { return size[0] * size[1] * size[2]; }
  __device__ __forceinline__ int row(int y, int z) const { return (z * size[1] + y) * size[0]; }
};

template <class Real>
__device__ __forceinline__ Tile tileOf(const OrderedPoints<Real>& points, std::uint32_t bin, int3 padded) {
  Tile tile;
  const std::uint32_t bx = bin % std::uint32_t(points.bins[0]), rest = bin / std::uint32_t(points.bins[0]);
  tile.origin[0] = int(bx) * points.bin[0];
  tile.origin[1] = int(rest % std::uint32_t(points.bins[1])) * points.bin[1];
  tile.origin[2] = int(rest / std::uint32_t(points.bins[1])) * points.bin[2];
  tile.size[0] = padded.x;
  tile.size[1] = padded.y;
  tile.size[2] = padded.z;
  return tile;
}

/// Index in the grid of cell i of the tile (x fastest), wrapped.
__device__ __forceinline__ std::int64_t gridIndex(const Tile& tile, int i, int3 grid) {
  const int x = i % tile.size[0], rest = i / tile.size[0], y = rest % tile.size[1], z = rest / tile.size[1];
  const int gx = tile.origin[0] + x, gy = tile.origin[1] + y, gz = tile.origin[2] + z;
  const int wx = gx >= grid.x ? gx - grid.x : gx, wy = gy >= grid.y ? gy - grid.y : gy,
            wz = gz >= grid.z ? gz - grid.z : gz;
  return (std::int64_t(wz) * grid.y + wy) * grid.x + wx;
}

}  // namespace spokelab::gpu
