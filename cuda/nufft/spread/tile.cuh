// A tile: the cells of a bin and the kernel's overhang, which one thread block holds in shared
// memory.
#pragma once

#include <string>

#include "cuda/nufft/points/bin_sort.h"

namespace spokelab::gpu {

struct Tile {
  int origin[3];  // index of the first cell in the grid: x, y, z
  int size[3];    // cells along x, y, z with the overhang; x fastest in memory

  __device__ __forceinline__ int volume() const { return size[0] * size[1] * size[2]; }
  __device__ __forceinline__ int row(int y, int z) const { return (z * size[1] + y) * size[0]; }
};

// The tile of a bin, whose number counts the bins of all sets. padded: cells of a bin with the
// overhang.
template <class Real>
__device__ __forceinline__ Tile tileOf(const OrderedPoints<Real>& points, std::uint32_t bin, int3 padded) {
  Tile tile;
  if (points.sets.start) bin %= std::uint32_t(points.binCount());
  const std::uint32_t bx = bin % std::uint32_t(points.bins[0]), rest = bin / std::uint32_t(points.bins[0]);
  tile.origin[0] = int(bx) * points.bin[0];
  tile.origin[1] = int(rest % std::uint32_t(points.bins[1])) * points.bin[1];
  tile.origin[2] = int(rest / std::uint32_t(points.bins[1])) * points.bin[2];
  tile.size[0] = padded.x;
  tile.size[1] = padded.y;
  tile.size[2] = padded.z;
  return tile;
}

// Reason for an Error: a tile takes `bytes` of shared memory, a block has `available` bytes.
inline std::string tooLittleShared(std::int64_t bytes, int available) {
  return "a tile with the kernel's overhang takes " + std::to_string(bytes / 1024) +
         " KB of shared memory, a block has " + std::to_string(available / 1024) + " KB";
}

// Calls f(cell of the tile, its index in the grid) for every cell, all threads of the block
// together; cells beyond the grid's edge are wrapped round. A warp takes a row, so that no lane
// divides; all warps share the one row of a 1-D tile.
template <int Dims, class F>
__device__ __forceinline__ void forEachTileCell(const Tile& tile, int3 grid, F&& f) {
  if constexpr (Dims == 1) {
    for (int x = threadIdx.x; x < tile.size[0]; x += blockDim.x) {
      const int gx = tile.origin[0] + x;
      f(x, std::int64_t(gx >= grid.x ? gx - grid.x : gx));
    }
  } else {
    const int lane = threadIdx.x & 31, rows = tile.size[1] * tile.size[2];
    for (int row = threadIdx.x / 32; row < rows; row += blockDim.x / 32) {
      const int z = Dims == 3 ? row / tile.size[1] : 0, y = row - z * tile.size[1];
      const int gy = tile.origin[1] + y, gz = tile.origin[2] + z;
      const int wy = gy >= grid.y ? gy - grid.y : gy, wz = gz >= grid.z ? gz - grid.z : gz;
      const std::int64_t line = (std::int64_t(wz) * grid.y + wy) * grid.x;
      for (int x = lane; x < tile.size[0]; x += 32) {
        const int gx = tile.origin[0] + x;
        f(row * tile.size[0] + x, line + (gx >= grid.x ? gx - grid.x : gx));
      }
    }
  }
}

}  // namespace spokelab::gpu
