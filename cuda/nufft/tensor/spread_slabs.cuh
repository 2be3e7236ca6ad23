// Slabs of a column in registers, and how they reach the grid: what the kernels share that spread on tensor cores in
// float.
#pragma once

#include <algorithm>

#include "cuda/nufft/tensor/tensor_device.cuh"

namespace spokelab::gpu {

struct SpreadShape {
  int x, y, z, blockX, blockY, columnsX;
  // Cells of a column that can be non-zero.
  int reachX, reachY;
  std::int64_t cells;
};

inline SpreadShape spreadShape(const TensorLayout<float>& layout) {
  return {layout.gridX,
          layout.gridY,
          layout.gridZ,
          layout.blockX,
          layout.blockY,
          layout.columnsX,
          std::min(tensorColumn, layout.blockX + layout.cells - 1),
          std::min(tensorColumn, layout.blockY + layout.cells - 1),
          layout.gridCells()};
}

// One slab: [n-tile, four a coil][accumulator register].
template <int Coils>
using Slab = float[4 * Coils][4];

template <int Tiles>
__device__ __forceinline__ void clear(float (&a)[Tiles][4]) {
#pragma unroll
  for (int j = 0; j < Tiles; ++j)
#pragma unroll
    for (int i = 0; i < 4; ++i) a[j][i] = 0.f;
}

template <int Tiles>
__device__ __forceinline__ void flush(float (&a)[Tiles][4], int z, int originX, int originY,
                                      const SpreadShape& shape, float unscale, float2* grid, int g, int t) {
  z = wrapped(z, shape.z);
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int row = g + 8 * h;
    if (row < shape.reachY) {
      float2* line = grid + (std::int64_t(z) * shape.y + wrapped(originY + row, shape.y)) * shape.x;
#pragma unroll
      for (int q = 0; q < 2; ++q) {
        const int cell = 2 * t + 8 * q;
        if (cell < shape.reachX) {
          float2* to = line + wrapped(originX + cell, shape.x);
#pragma unroll
          for (int j = 2 * q; j < Tiles; j += 4, to += shape.cells)
            reduce4(to, a[j][2 * h] * unscale, a[j + 1][2 * h] * unscale, a[j][2 * h + 1] * unscale,
                    a[j + 1][2 * h + 1] * unscale);
        }
      }
    }
  }
  clear(a);
}

// Slabs whose names rotate in the unrolled loop: their bodies together stay below 32 KB of code.
constexpr int spreadRotation(int slabs, bool half) {
  if (half) return slabs <= 4 ? slabs : 3;
  return slabs <= 3 ? slabs : 2;
}

}  // namespace spokelab::gpu
