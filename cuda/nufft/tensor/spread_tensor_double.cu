// Spreading on tensor cores in double (DMMA m16n8k4; tensor.h has the idea).
//
// A block marches one column for coils that share the points' kernel values (tensor_table.cuh),
// with two warps a coil for W <= 8 and four beyond (the slabs must fit the registers). In 3-D they
// share out the slabs, so that all work where a class of points leaves out cells
// (TensorLayout::classes), in 2-D the column's cells in x. With g = lane / 4 and t = lane % 4, a
// lane holds k_y k_z of rows g and g + 8 for its point t (A), and c k_x of one cell and component
// (B). Slabs leave through shared memory by bulk reductions, or by plain ones where the column
// wraps round the grid in x.
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

struct GridShape {
  int x, y, z, blockX, blockY, columnsX, reachX, reachY;
  std::int64_t cells;
};

// Divides a column among the warps of a coil. A warp holds slabs warpZ, warpZ + warpsZ, ... of a
// task, each until it is complete: slot j has slab d where d % ring == warpsZ * j + warpZ.
template <int W, int Slabs, int Column>
struct Shares {
  static constexpr int warps = warpsFor(W), warpsZ = Slabs > 1 ? warps : 1, warpsX = warps / warpsZ;
  static constexpr int slots = (Slabs + warpsZ - 1) / warpsZ, ring = slots * warpsZ;
  // Cells in x, and tiles of D.
  static constexpr int cells = Column / warpsX, across = cells / 4, down = Column / 16, tiles = across * down;
};

template <int W, int Slabs, int Column, int Coils>
struct SpreadMemory {
  using Own = Shares<W, Slabs, Column>;
  // Four doubles between rows: lanes that write eight of them find these in different banks.
  static constexpr int rowDoubles = 2 * Own::cells + 4;
  // Slabs on their way out; a column of one slab leaves once.
  static constexpr int buffers = Slabs > 1 ? 2 : 1;
  alignas(128) double staging[Own::warps * Coils][buffers][Column * rowDoubles];
  TableMemory<Column, Slabs, Coils> table;
};

template <int W, int Slabs, int Column, int Classes, int Coils>
__global__ void __launch_bounds__(32 * warpsFor(W) * Coils)
    spreadTensor(const __grid_constant__ CellPairs<W> phi, const double* __restrict__ points,
                 const std::uint32_t* __restrict__ order, const std::uint32_t* __restrict__ offsets,
                 const TensorTask* __restrict__ tasks, const int* __restrict__ taskCount, std::int64_t count,
                 const double2* __restrict__ samples, const __grid_constant__ GridShape shape,
                 double2* __restrict__ grid) {
  using Memory = SpreadMemory<W, Slabs, Column, Coils>;
  using Own = Shares<W, Slabs, Column>;
  constexpr int warps = Own::warps, warpsZ = Own::warpsZ, slots = Own::slots, across = Own::across,
                down = Own::down, tiles = Own::tiles, rowDoubles = Memory::rowDoubles;
  // Tiles in x that the points of a class touch.
  constexpr int touched = across - (Classes - 1);
  extern __shared__ __align__(128) unsigned char blockMemory[];
  Memory& memory = *reinterpret_cast<Memory*>(blockMemory);
  const int lane = threadIdx.x & 31, warpOfBlock = threadIdx.x >> 5, g = lane >> 2, t = lane & 3;
  const int coil = Coils > 1 ? warpOfBlock / warps : 0, warp = warpOfBlock - coil * warps;
  const int warpZ = warp % warpsZ, firstX = Own::cells * (warp / warpsZ);
  // Cell and component of B's column g, so that D holds whole cells.
  const int column = (g & 1) * 4 + (g >> 1);
  const int cellX = firstX + (column >> 1);
  const bool imaginary = column & 1;
  samples += std::int64_t(blockIdx.y) * Coils * count;
  grid += (std::int64_t(blockIdx.y) * Coils + coil) * shape.cells;
  double slab[slots][tiles][4];
#pragma unroll
  for (int s = 0; s < slots; ++s)
#pragma unroll
    for (int j = 0; j < tiles; ++j)
#pragma unroll
      for (int i = 0; i < 4; ++i) slab[s][j][i] = 0;
  int flushes = 0;
  PointTable<W, Column, Slabs, warps * Coils, Coils> table(memory.table, phi, points, order, samples, count);

  const int taskEnd = *taskCount;
  for (int task = blockIdx.x; task < taskEnd; task += gridDim.x) {
    const TensorTask T = tasks[task];
    const int originX = T.column % shape.columnsX * shape.blockX + firstX,
              originY = T.column / shape.columnsX * shape.blockY;
    const bool wraps = originX + Own::cells > shape.x;
    const std::uint32_t* classEnds = offsets + (std::int64_t(T.column) * shape.z + T.zBegin) * Classes + 1;
    // This warp's cells that can be non-zero.
    const int width = min(Own::cells, shape.reachX - firstX);

    // Adds slab z, which is in `slot`, to the grid.
    auto flush = [&](int slot, int z) {
      double2* plane = grid + std::int64_t(wrapped(z, shape.z)) * shape.y * shape.x;
      double* out = memory.staging[warpOfBlock][flushes % Memory::buffers];
      waitUntilRead<Memory::buffers - 1>();
      __syncwarp();
#pragma unroll
      for (int s = 0; s < slots; ++s)
        if (s == slot) {
#pragma unroll
          for (int m = 0; m < down; ++m)
#pragma unroll
            for (int j = 0; j < across; ++j)
#pragma unroll
              for (int i = 0; i < 4; ++i) {
                double& sum = slab[s][across * m + j][i];
                out[(16 * m + g + 8 * (i >> 1)) * rowDoubles + 8 * j + t + 4 * (i & 1)] = sum;
                sum = 0;
              }
        }
      if (hasBulkReduction && !wraps) {
        publishToReductions();
        __syncwarp();
        if (lane < shape.reachY && width > 0)
          reduceBulk(plane + std::int64_t(wrapped(originY + lane, shape.y)) * shape.x + originX,
                     out + lane * rowDoubles, width * int(sizeof(double2)));
      } else {
        __syncwarp();
        for (int row = 0; row < shape.reachY; ++row)
          if (lane < 2 * width) {
            double2* to = plane + std::int64_t(wrapped(originY + row, shape.y)) * shape.x +
                          wrapped(originX + (lane >> 1), shape.x);
            asm volatile(
                "red.relaxed.gpu.global.add.f64 [%0], %1;" ::"l"(reinterpret_cast<double*>(to) + (lane & 1)),
                "d"(out[row * rowDoubles + lane])
                : "memory");
          }
      }
      commitReductions();  // of none, too: waitUntilRead counts slabs
      ++flushes;
    };

    table.start(T.begin);
    int k = T.begin, nextEnd[Classes];
#pragma unroll
    for (int h = 0; h < Classes; ++h) nextEnd[h] = int(classEnds[h]);
    const int planes = T.zEnd - T.zBegin;
    int slotOfPlane = 0, turn = 0;  // of plane d: turn = d % warpsZ
    for (int d = 0; d < planes + Slabs - 1; ++d) {
      int ends[Classes];
#pragma unroll
      for (int h = 0; h < Classes; ++h) {
        ends[h] = d < planes ? min(nextEnd[h], T.end) : k;
        if (d + 1 < planes) nextEnd[h] = int(classEnds[(d + 1) * Classes + h]);
      }
      // The distance of each slot's slab from plane d.
      int ahead[slots];
#pragma unroll
      for (int s = 0; s < slots; ++s) {
        ahead[s] = warpsZ * (s - slotOfPlane) + warpZ - turn;
        if (ahead[s] < 0) ahead[s] += Own::ring;
      }
#pragma unroll
      for (int h = 0; h < Classes; ++h)
        while (k < ends[h]) {
          const int next = min(k + 4, ends[h]);
          table.need(next);
          const int p = k + t;
          const TableValues<Column> values = table.values(p);
          const double2 sample = table.sample(coil, p);
          const double c = p < ends[h] ? (imaginary ? sample.y : sample.x) : 0.0;
          double y[2 * down], b[touched];
#pragma unroll
          for (int m = 0; m < 2 * down; ++m) y[m] = values.y(g + 8 * m);
#pragma unroll
          for (int j = 0; j < touched; ++j) b[j] = c * values.x(cellX + 4 * (h + j));
#pragma unroll
          for (int s = 0; s < slots; ++s) {
            if (Own::ring > Slabs && ahead[s] >= Slabs) continue;
            double z = 1;
            if constexpr (Slabs > 1) z = values.z(ahead[s]);
#pragma unroll
            for (int m = 0; m < down; ++m) {
              const double a[2] = {y[2 * m] * z, y[2 * m + 1] * z};
#pragma unroll
              for (int j = 0; j < touched; ++j) mmaDouble<1>(slab[s][across * m + h + j], a, b + j);
            }
          }
          k = next;
        }
      if (turn == warpZ) flush(slotOfPlane, T.zBegin + d);
      if (++turn == warpsZ) {
        turn = 0;
        if (++slotOfPlane == slots) slotOfPlane = 0;
      }
    }
    __syncthreads();  // the table is started anew
  }
  waitForReductions();
}

template <int W, int Slabs, int Column, int Classes>
void launch(const TensorLayout<double>& layout, const TensorPoints<double>& points, const double2* c,
            double2* grid, int batch, cudaStream_t stream) {
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
    const auto kernel = spreadTensor<W, Slabs, Column, Classes, Coils>;
    constexpr std::size_t shared = sizeof(SpreadMemory<W, Slabs, Column, Coils>), least = 99 * 1024;
    static_assert(shared <= least, "more than devices with products in double have");
    allowShared(kernel, shared);
    const dim3 blocks(tensorBlocks(reinterpret_cast<const void*>(kernel), threads, points.taskLimit, shared),
                      groups);
    kernel<<<blocks, threads, shared, stream>>>(cellPairs<W>(layout), points.points, points.order,
                                                points.offsets, points.tasks, points.taskCount, points.count,
                                                c + first * points.count, shape, grid + first * shape.cells);
    checkLaunch("spreading on tensor cores");
  });
}

}  // namespace

void tensorSpread(const TensorLayout<double>& layout, const TensorPoints<double>& points, const double2* c,
                  double2* grid, int batch, const float*, cudaStream_t stream) {
  if (points.count == 0) return;
  tensorDoubleForm(layout, [&](auto w, auto slabs, auto column, auto classes) {
    launch<w, slabs, column, classes>(layout, points, c, grid, batch, stream);
  });
}

}  // namespace spokelab::gpu
