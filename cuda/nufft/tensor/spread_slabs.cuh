// Slabs of a column in registers, and how they reach the grid: what the kernels share that spread
// on tensor cores in float.
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

// Adds a slab to the grid and clears it. z, originX, originY: its first cell, before wrapping.
// unscale: takes back the scale of the operands. g = lane / 4, t = lane % 4.
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

// Slabs that the unrolled loop marches under rotating names (rotateSlabs): the bodies for all of
// them together stay below 32 KB of code.
constexpr int spreadRotation(int slabs, bool half) {
  if (half) return slabs <= 4 ? slabs : 3;
  return slabs <= 3 ? slabs : 2;
}

// Kernel values along z for a step of 16 points, divided among the eight lanes that share t, where
// t = lane % 4 and g = lane / 4. zFirst: the places of points t, t + 4, t + 8, t + 12 at their
// first slab. kz: fp16 pairs. Entry e = g + 8 i is slab e % W, of points t and t + 4 if e < W, else
// of points t + 8 and t + 12.
template <int W, class Phi, int Entries>
__device__ __forceinline__ void pairsAlongZ(const Phi& phi, const float (&zFirst)[4], int g,
                                            std::uint32_t (&kz)[Entries]) {
#pragma unroll
  for (int i = 0; i < Entries; ++i) {
    const int e = g + 8 * i;
    const bool second = e >= W;
    const float v = float(second ? e - W : e) * phi.step;
    kz[i] = packHalf(phi((second ? zFirst[2] : zFirst[0]) + v), phi((second ? zFirst[3] : zFirst[1]) + v));
  }
}
// The same in float, times splitScale, for values that are split into heads and tails. Entry
// e = g + 8 i is slab e % W of point t + 4 (e / W).
template <int W, class Phi, int Entries>
__device__ __forceinline__ void valuesAlongZ(const Phi& phi, const float (&zFirst)[4], int g,
                                             float (&kz)[Entries]) {
#pragma unroll
  for (int i = 0; i < Entries; ++i) {
    const int e = g + 8 * i;
    const float first = e < 2 * W ? (e < W ? zFirst[0] : zFirst[1]) : (e < 3 * W ? zFirst[2] : zFirst[3]);
    kz[i] = splitScale * phi(first + float(e % W) * phi.step);
  }
}

// Adds the products of heads and tails. The unit's own sums truncate: each product starts from zero
// and is added in FP32.
template <int Tiles>
__device__ __forceinline__ void addSplitProducts(float (&slab)[Tiles][4], const std::uint32_t (&head)[4],
                                                 const std::uint32_t (&tail)[4],
                                                 const SplitHalf (&b)[Tiles][2]) {
#pragma unroll
  for (int j = 0; j < Tiles; ++j) {
    float d[4] = {};
    mmaHalf(d, tail, b[j][0].head, b[j][1].head);
    mmaHalf(d, head, b[j][0].tail, b[j][1].tail);
    mmaHalf(d, head, b[j][0].head, b[j][1].head);
#pragma unroll
    for (int i = 0; i < 4; ++i) slab[j][i] += d[i];
  }
}

}  // namespace spokelab::gpu
