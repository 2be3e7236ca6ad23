// Interpolation on tensor cores in double (DMMA m16n8k16; tensor.h has the idea).
//
// A block marches one column, 16 points a product, for coils that share the table; a warp takes one
// component, real or imaginary, and, in 3-D where W > 8, one half of the rows (its slabs must fit
// the registers; the halves meet in the result by an atomic addition, so the caller's array is
// cleared first). A: k_x of points g and g + 8 at cells t, t + 4, t + 8, t + 12, for all slabs (7
// and 8 cells in 3-D: k_x k_z, for each slab). B: a slab, cell by row. D: rows t and t + 4 of each
// tile, whose k_y lie in different banks (tensor_table.cuh), added up over the slabs (with k_z
// where A is without it), then multiplied by k_y and summed by two shuffles. (k_z in A would take
// more multiplications where a warp has half of the rows.)
#include <algorithm>

#include "cuda/device/check.h"
#include "cuda/device/image_groups.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/nufft/tensor/tensor_launch.h"
#include "cuda/nufft/tensor/tensor_table.cuh"

namespace spokelab::gpu {
namespace {

constexpr int warpsFor(int cells, int slabs) {
  return cells <= 8 || slabs == 1 ? 2 : 4;
}
constexpr int rotation(int slabs) {
  return slabs <= 2 ? slabs : 2;
}

// Blocks that a multiprocessor must hold; the compiler spills a few registers for it. Without this
// bound, kernels of 5 and 6 cells in 3-D take all 255 registers, two thirds of the blocks fit, and
// the kernels take an eighth longer (H100). In 2-D a multiprocessor holds 24 warps: three coils of
// 12 cells take 1.24 ms, with 18 warps and one barrier more (tensor_table.cuh) 1.36 ms.
constexpr int residentBlocks(int cells, int slabs, int column, int coils) {
  if (slabs == 1) return column == tensorColumn ? 12 / coils : 1;
  return cells <= 6 ? 6 : cells <= 8 ? 4 : cells <= 11 ? 3 : 2;
}

struct GridShape {
  int x, y, z, blockX, blockY, columnsX;
  std::int64_t cells;
};

// The group of four cells in x that a class h of points takes at q. With two classes: first the
// pair of groups that products take together (0 and 1, or 2 and 3), then the group beside it.
template <int Classes>
__device__ constexpr int fourth(int h, int q) {
  if (Classes == 1) return q;
  return q < 2 ? 2 * h + q : 2 - h;
}
// With two classes the pair's products are added to `sums`, the other one's to `more`, which may be
// the same.
template <int Classes, int Depths>
__device__ __forceinline__ void multiply(double* sums, double* more, const double* a, const double* cells,
                                         int h) {
  if constexpr (Classes == 1) {
    mmaDouble<4 * Depths>(sums, a, cells);
  } else {
    mmaDouble<2>(sums, a, cells + 2 * h);
    mmaDouble<1>(more, a + 4, cells + 2 - h);
  }
}

template <int W, int Slabs, int Column, int Classes, int Coils>
__global__ void __launch_bounds__(32 * warpsFor(W, Slabs) * Coils, residentBlocks(W, Slabs, Column, Coils))
    interpolateTensor(const __grid_constant__ CellPairs<W> phi, const double* __restrict__ points,
                      const std::uint32_t* __restrict__ order, const std::uint32_t* __restrict__ offsets,
                      const TensorTask* __restrict__ tasks, const int* __restrict__ taskCount,
                      std::int64_t count, const double2* __restrict__ gridBatch,
                      const __grid_constant__ GridShape shape, double2* __restrict__ sampleBatch) {
  // Warps of a coil, and tiles of eight rows of a warp. Each warp of a pair has one component.
  constexpr int warps = warpsFor(W, Slabs), tiles = Column / 4 / warps, U = rotation(Slabs);
  constexpr int depths = Column / 16;  // products along x
  // Fours of the column's cells in x that the points of a class touch.
  constexpr int touched = 4 * depths - (Classes - 1);
  constexpr bool whole = warps == 2;  // this warp has all rows of the column
  // True if registers suffice to multiply k_z into A and let the products accumulate D.
  constexpr bool scalesA = whole && (Slabs == 1 || W > 6);
  // Separate sums for products that would wait for each other (type 2 of 256^3 pixels at three
  // points a pixel on an H100: 16.0 ms with one sum, 15.2 with two).
  constexpr int chains = scalesA ? Classes : 1;
  __shared__ TableMemory<Column, Slabs, 0> memory;
  const int lane = threadIdx.x & 31, warpOfBlock = threadIdx.x >> 5, g = lane >> 2, t = lane & 3;
  const int coilOfBlock = Coils > 1 ? warpOfBlock / warps : 0, warp = warpOfBlock - coilOfBlock * warps;
  const std::int64_t coil = std::int64_t(blockIdx.y) * Coils + coilOfBlock;
  const int component = warp & 1, firstTile = (warp >> 1) * tiles;
  const int rowOfTile = (g & 1) * 4 + (g >> 1);  // of B's column g
  double* samples = reinterpret_cast<double*>(sampleBatch + coil * count) + component;
  const double* grid = reinterpret_cast<const double*>(gridBatch + coil * shape.cells) + component;
  PointTable<W, Column, Slabs, warps * Coils, 0> table(memory, phi, points, order, nullptr, count);

  const int taskEnd = *taskCount;
  for (int task = blockIdx.x; task < taskEnd; task += gridDim.x) {
    const TensorTask T = tasks[task];
    const int originX = T.column % shape.columnsX * shape.blockX,
              originY = T.column / shape.columnsX * shape.blockY;
    const std::uint32_t* classEnds = offsets + std::int64_t(T.column) * shape.z * Classes + 1;
    int xOffset[4 * depths];
    std::int64_t yOffset[tiles];
#pragma unroll
    for (int i = 0; i < 4 * depths; ++i) xOffset[i] = 2 * wrapped(originX + t + 4 * i, shape.x);
#pragma unroll
    for (int j = 0; j < tiles; ++j)
      yOffset[j] = std::int64_t(wrapped(originY + 8 * (firstTile + j) + rowOfTile, shape.y)) * shape.x * 2;
    double slab[Slabs][tiles][4 * depths];
    auto load = [&](double(&to)[tiles][4 * depths], int z) {
      const double* from = grid + std::int64_t(wrapped(z, shape.z)) * shape.y * shape.x * 2;
#pragma unroll
      for (int j = 0; j < tiles; ++j)
#pragma unroll
        for (int i = 0; i < 4 * depths; ++i) to[j][i] = from[yOffset[j] + xOffset[i]];
    };
#pragma unroll
    for (int s = 0; s < Slabs - 1; ++s) load(slab[s], T.zBegin + s);
    table.start(T.begin);
    int k = T.begin, nextEnd[Classes];
#pragma unroll
    for (int h = 0; h < Classes; ++h) nextEnd[h] = int(classEnds[T.zBegin * Classes + h]);

    for (int zGroup = T.zBegin; zGroup < T.zEnd; zGroup += U) {
#pragma unroll
      for (int r = 0; r < U; ++r) {
        const int z = zGroup + r;
        if (z < T.zEnd) {
          int ends[Classes];
#pragma unroll
          for (int h = 0; h < Classes; ++h) {
            ends[h] = min(nextEnd[h], T.end);
            if (z + 1 < T.zEnd) nextEnd[h] = int(classEnds[(z + 1) * Classes + h]);
          }
          load(slab[(r + Slabs - 1) % Slabs], z + Slabs - 1);
#pragma unroll
          for (int h = 0; h < Classes; ++h)
            while (k < ends[h]) {
              const int next = min(k + 16, ends[h]);
              table.need(next);
              const TableValues<Column> p[2] = {table.values(k + g), table.values(k + g + 8)};
              double a[2 * touched], sums[tiles][chains][4] = {};
#pragma unroll
              for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int q = 0; q < touched; ++q) a[2 * q + i] = p[i].x(t + 4 * fourth<Classes>(h, q));
#pragma unroll
              for (int s = 0; s < Slabs; ++s) {
                double z[2] = {1, 1}, scaled[2 * touched];
                if constexpr (Slabs > 1) {
                  z[0] = p[0].z(s);
                  z[1] = p[1].z(s);
                }
#pragma unroll
                for (int q = 0; q < 2 * touched; ++q) scaled[q] = scalesA ? z[q % 2] * a[q] : a[q];
#pragma unroll
                for (int j = 0; j < tiles; ++j)
                  if constexpr (scalesA) {
                    multiply<Classes, depths>(sums[j][0], sums[j][chains - 1], scaled,
                                              slab[(s + r) % Slabs][j], h);
                  } else {
                    double d[4] = {};
                    multiply<Classes, depths>(d, d, scaled, slab[(s + r) % Slabs][j], h);
#pragma unroll
                    for (int i = 0; i < 4; ++i) sums[j][0][i] += z[i / 2] * d[i];
                  }
              }
              if constexpr (chains == 2)
#pragma unroll
                for (int j = 0; j < tiles; ++j)
#pragma unroll
                  for (int i = 0; i < 4; ++i) sums[j][0][i] += sums[j][1][i];
#pragma unroll
              for (int i = 0; i < 2; ++i) {
                double sum = 0;
#pragma unroll
                for (int j = 0; j < tiles; ++j) {
                  const int first = 8 * (firstTile + j);
                  sum +=
                      sums[j][0][2 * i] * p[i].y(first + t) + sums[j][0][2 * i + 1] * p[i].y(first + t + 4);
                }
                sum += __shfl_xor_sync(~0u, sum, 1);
                sum += __shfl_xor_sync(~0u, sum, 2);
                if (t == i && k + g + 8 * i < ends[h]) {
                  double* to = samples + 2 * std::int64_t(table.index(k + g + 8 * i));
                  if constexpr (whole)
                    *to = sum;
                  else
                    atomicAdd(to, sum);
                }
              }
              k = next;
            }
        }
      }
      rotateSlabs<U>(slab);
    }
    __syncthreads();  // the table is started anew
  }
}

template <int W, int Slabs, int Column, int Classes>
void launch(const TensorLayout<double>& layout, const TensorPoints<double>& points, const double2* grid,
            double2* c, int batch, cudaStream_t stream) {
  if constexpr (warpsFor(W, Slabs) == 4)
    check(cudaMemsetAsync(c, 0, sizeof(double2) * std::size_t(points.count) * batch, stream),
          "clearing samples");
  const GridShape shape{layout.gridX,
                        layout.gridY,
                        layout.gridZ,
                        layout.blockX,
                        layout.blockY,
                        layout.columnsX,
                        std::int64_t(layout.gridX) * layout.gridY * layout.gridZ};
  forImageGroups<tensorCoilsDouble<false>(W, Slabs, Column)>(batch, [&](auto coils, int first, int groups) {
    constexpr int Coils = decltype(coils)::value, threads = 32 * warpsFor(W, Slabs) * Coils;
    const auto kernel = interpolateTensor<W, Slabs, Column, Classes, Coils>;
    const dim3 blocks(tensorBlocks(reinterpret_cast<const void*>(kernel), threads, points.taskLimit), groups);
    kernel<<<blocks, threads, 0, stream>>>(cellPairs<W>(layout), points.points, points.order, points.offsets,
                                           points.tasks, points.taskCount, points.count,
                                           grid + first * shape.cells, shape, c + first * points.count);
    checkLaunch("interpolating on tensor cores");
  });
}

}  // namespace

void tensorInterpolate(const TensorLayout<double>& layout, const TensorPoints<double>& points,
                       const double2* grid, double2* c, int batch, const double*, cudaStream_t stream) {
  if (points.count == 0) return;
  tensorDoubleForm(layout, [&](auto w, auto slabs, auto column, auto classes) {
    launch<w, slabs, column, classes>(layout, points, grid, c, batch, stream);
  });
}

}  // namespace spokelab::gpu
