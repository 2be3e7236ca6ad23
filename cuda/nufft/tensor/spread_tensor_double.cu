// Spreading on tensor cores in double (DMMA m16n8k4; tensor.h has the idea).
//
// A block marches one column for coils that share the points' kernel values (tensor_table.cuh). The warps of a coil
// split the column's cells in x: two warps for W <= 8, four beyond (the slabs must fit the registers). With g = lane / 4 and t = lane % 4, a lane holds k_y k_z of rows g
// and g + 8 for its point t (A), and c k_x of one cell and component (B). Slabs leave through
// shared memory by bulk reductions, or by plain ones where the column wraps round the grid in x.
#include <algorithm>

#include "cuda/device/check.h"
#include "cuda/device/image_groups.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/nufft/tensor/tensor_launch.h"
#include "cuda/nufft/tensor/tensor_table.cuh"

namespace spokelab::gpu {
namespace {

constexpr int warpsFor(int cells) {
  return cells <= 8 ? 2 : 4;
}
// Slabs rotated by name before the registers are moved: a full rotation of wide kernels starves the
// instruction cache.
constexpr int rotation(int slabs) {
  return slabs <= 4 ? slabs : 4;
}

struct GridShape {
  int x, y, z, blockX, blockY, columnsX, reachX, reachY;
  std::int64_t cells;
};

template <int W, int Slabs, int Column, int Coils>
struct SpreadMemory {
  static constexpr int warps = warpsFor(W), rowDoubles = 2 * Column / warps;  // warps of a coil
  // Slabs on their way out; a column of one slab leaves once.
  static constexpr int buffers = Slabs > 1 ? 2 : 1;
  alignas(128) double staging[warps * Coils][buffers][Column * rowDoubles];
  TableMemory<Column, Slabs, Coils> table;
};

template <int W, int Slabs, int Column, int Coils, int Terms>
__global__ void __launch_bounds__(32 * warpsFor(W) * Coils)
    spreadTensor(const __grid_constant__ KernelSeries<double, Terms> phi, const double* __restrict__ points,
                 const std::uint32_t* __restrict__ order, const std::uint32_t* __restrict__ offsets,
                 const TensorTask* __restrict__ tasks, const int* __restrict__ taskCount, std::int64_t count,
                 const double2* __restrict__ samples, const __grid_constant__ GridShape shape,
                 double2* __restrict__ grid) {
  using Memory = SpreadMemory<W, Slabs, Column, Coils>;
  constexpr int warps = Memory::warps, rowDoubles = Memory::rowDoubles, cellsPerWarp = rowDoubles / 2;
  constexpr int across = cellsPerWarp / 4, down = Column / 16, tiles = across * down;  // of D
  constexpr int U = rotation(Slabs);
  extern __shared__ __align__(128) unsigned char blockMemory[];
  Memory& memory = *reinterpret_cast<Memory*>(blockMemory);
  const int lane = threadIdx.x & 31, warpOfBlock = threadIdx.x >> 5, g = lane >> 2, t = lane & 3;
  const int coil = Coils > 1 ? warpOfBlock / warps : 0, warp = warpOfBlock - coil * warps;
  // Cell and component of B's column g, so that D holds whole cells.
  const int column = (g & 1) * 4 + (g >> 1);
  const int cellX = cellsPerWarp * warp + (column >> 1);
  const bool imaginary = column & 1;
  samples += std::int64_t(blockIdx.y) * Coils * count;
  grid += (std::int64_t(blockIdx.y) * Coils + coil) * shape.cells;
  double slab[Slabs][tiles][4];
#pragma unroll
  for (int s = 0; s < Slabs; ++s)
#pragma unroll
    for (int j = 0; j < tiles; ++j)
#pragma unroll
      for (int i = 0; i < 4; ++i) slab[s][j][i] = 0;
  int flushes = 0;
  PointTable<W, Column, Slabs, warps * Coils, Terms, Coils> table(memory.table, phi, points, order, samples,
                                                                  count);

  const int taskEnd = *taskCount;
  for (int task = blockIdx.x; task < taskEnd; task += gridDim.x) {
    const TensorTask T = tasks[task];
    const int originX = T.column % shape.columnsX * shape.blockX,
              originY = T.column / shape.columnsX * shape.blockY;
    const bool wraps = originX + Column > shape.x;
    const std::uint32_t* zOffsets = offsets + std::int64_t(T.column) * shape.z;
    // This warp's cells that can be non-zero.
    const int width = min(cellsPerWarp, shape.reachX - cellsPerWarp * warp);

    auto flush = [&](double(&a)[tiles][4], int z) {
      z = wrapped(z, shape.z);
      double2* plane = grid + std::int64_t(z) * shape.y * shape.x;
      if (hasBulkReduction && !wraps) {
        double* out = memory.staging[warpOfBlock][flushes % Memory::buffers];
        waitUntilRead<Memory::buffers - 1>();
        __syncwarp();
#pragma unroll
        for (int m = 0; m < down; ++m)
#pragma unroll
          for (int j = 0; j < across; ++j)
#pragma unroll
            for (int i = 0; i < 4; ++i)
              out[(16 * m + g + 8 * (i >> 1)) * rowDoubles + 8 * j + t + 4 * (i & 1)] = a[across * m + j][i];
        publishToReductions();
        __syncwarp();
        if (lane < shape.reachY && width > 0)
          reduceBulk(plane + std::int64_t(wrapped(originY + lane, shape.y)) * shape.x + originX +
                         cellsPerWarp * warp,
                     out + lane * rowDoubles, width * int(sizeof(double2)));
        commitReductions();
        ++flushes;
      } else {
#pragma unroll
        for (int i = 0; i < 4 * down; ++i) {
          const int row = g + 8 * (i >> 1);
          if (row < shape.reachY) {
#pragma unroll
            for (int j = 0; j < across; ++j) {
              const int d = t + 4 * (i & 1), cell = cellsPerWarp * warp + 4 * j + (d >> 1);
              double2* to = plane + std::int64_t(wrapped(originY + row, shape.y)) * shape.x +
                            wrapped(originX + cell, shape.x);
              if (cell < shape.reachX)
                asm volatile(
                    "red.relaxed.gpu.global.add.f64 [%0], %1;" ::"l"(reinterpret_cast<double*>(to) + (d & 1)),
                    "d"(a[across * (i / 4) + j][i % 4])
                    : "memory");
            }
          }
        }
      }
#pragma unroll
      for (int j = 0; j < tiles; ++j)
#pragma unroll
        for (int i = 0; i < 4; ++i) a[j][i] = 0;
    };

    table.start(T.begin);
    int k = T.begin, nextEnd = int(zOffsets[T.zBegin + 1]);
    for (int zGroup = T.zBegin; zGroup < T.zEnd + Slabs - 1; zGroup += U) {
#pragma unroll
      for (int r = 0; r < U; ++r) {
        const int z = zGroup + r;
        const int end = z < T.zEnd ? min(nextEnd, T.end) : k;
        if (z + 1 < T.zEnd) nextEnd = int(zOffsets[z + 2]);
        while (k < end) {
          const int next = min(k + 4, end);
          table.need(next);
          const int p = k + t;
          const TableValues<Column> values = table.values(p);
          const double2 sample = table.sample(coil, p);
          const double c = p < end ? (imaginary ? sample.y : sample.x) : 0.0;
          double y[2 * down], b[across];
#pragma unroll
          for (int m = 0; m < 2 * down; ++m) y[m] = values.y(g + 8 * m);
#pragma unroll
          for (int j = 0; j < across; ++j) b[j] = c * values.x(cellX + 4 * j);
#pragma unroll
          for (int s = 0; s < Slabs; ++s) {
            double z0 = 1;
            if constexpr (Slabs > 1) z0 = values.z(s);
#pragma unroll
            for (int m = 0; m < down; ++m) {
              const double a[2] = {y[2 * m] * z0, y[2 * m + 1] * z0};
#pragma unroll
              for (int j = 0; j < across; ++j) mmaDouble4(slab[(s + r) % Slabs][across * m + j], a, b[j]);
            }
          }
          k = next;
        }
        if (z < T.zEnd + Slabs - 1) flush(slab[r], z);
      }
      rotateSlabs<U>(slab);
    }
    __syncthreads();  // the table is started anew
  }
  waitForReductions();
}

template <int W, int Slabs, int Column>
void launch(const TensorLayout<double>& layout, const TensorPoints<double>& points, const double2* c,
            double2* grid, int batch, cudaStream_t stream) {
  constexpr int terms = tensorTerms<double>(W, false);
  const GridShape shape{layout.gridX,
                        layout.gridY,
                        layout.gridZ,
                        layout.blockX,
                        layout.blockY,
                        layout.columnsX,
                        std::min(Column, layout.blockX + W - 1),
                        std::min(Column, layout.blockY + W - 1),
                        std::int64_t(layout.gridX) * layout.gridY * layout.gridZ};
  forImageGroups<tensorCoilsDouble<true>(W, Slabs, Column)>(batch, [&](auto coils, int first, int groups) {
    constexpr int Coils = decltype(coils)::value, threads = 32 * warpsFor(W) * Coils;
    const auto kernel = spreadTensor<W, Slabs, Column, Coils, terms>;
    constexpr std::size_t shared = sizeof(SpreadMemory<W, Slabs, Column, Coils>), least = 99 * 1024;
    static_assert(shared <= least, "more than devices with products in double have");
    allowShared(kernel, shared);
    const dim3 blocks(tensorBlocks(reinterpret_cast<const void*>(kernel), threads, points.taskLimit, shared),
                      groups);
    kernel<<<blocks, threads, shared, stream>>>(
        kernelSeries<double, terms>(layout), points.points, points.order, points.offsets, points.tasks,
        points.taskCount, points.count, c + first * points.count, shape, grid + first * shape.cells);
    checkLaunch("spreading on tensor cores");
  });
}

}  // namespace

void tensorSpread(const TensorLayout<double>& layout, const TensorPoints<double>& points, const double2* c,
                  double2* grid, int batch, const float*, cudaStream_t stream) {
  if (points.count == 0) return;
  tensorDoubleForm(layout, [&](auto w, auto slabs, auto column) {
    launch<w, slabs, column>(layout, points, c, grid, batch, stream);
  });
}

}  // namespace spokelab::gpu
