#include "cuda/nufft/tensor/tensor_tasks.h"

#include <algorithm>
#include <cmath>

#include "cuda/device/device_scope.h"
#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/counting_sort.cuh"
#include "cuda/nufft/tensor/tensor_launch.h"

namespace spokelab::gpu {
namespace {

// Cost of flushing one slab, in matrix products of 16 points (measured: 0.8 to 1.2).
constexpr float flushCost = 1.0f;

// Tasks are written by whole warps: one atomic addition makes room for `mine` tasks of each lane.
__device__ __forceinline__ int roomFor(int mine, int lane, int* taskCount) {
  const int sum = sumUpTo(mine, lane);
  const int all = __shfl_sync(~0u, sum, 31);
  int slot = 0;
  if (lane == 0 && all > 0) slot = atomicAdd(taskCount, all);
  return __shfl_sync(~0u, slot, 0) + sum - mine;
}

// Writes `parts` tasks of `size` points from `begin` on for each lane's own cell z; all lanes share
// in writing the tasks of a cell that has many.
__device__ __forceinline__ void writeParts(int parts, int size, int column, int z, int begin, int end,
                                           int lane, TensorTask* tasks, int* taskCount, int taskLimit) {
  constexpr int maxOwnParts = 4;
  const int slot = roomFor(parts, lane, taskCount);
  if (parts <= maxOwnParts)
    for (int i = 0; i < parts; ++i)
      if (slot + i < taskLimit)
        tasks[slot + i] = {column, z, z + 1, begin + i * size, min(begin + (i + 1) * size, end)};
  for (unsigned crowded = __ballot_sync(~0u, parts > maxOwnParts); crowded; crowded &= crowded - 1) {
    const int from = __ffs(crowded) - 1;
    const int count = __shfl_sync(~0u, parts, from), first = __shfl_sync(~0u, slot, from),
              points = __shfl_sync(~0u, size, from), start = __shfl_sync(~0u, begin, from),
              stop = __shfl_sync(~0u, end, from), ownColumn = __shfl_sync(~0u, column, from),
              cell = __shfl_sync(~0u, z, from);
    for (int i = lane; i < count; i += 32)
      if (first + i < taskLimit)
        tasks[first + i] = {ownColumn, cell, cell + 1, start + i * points,
                            min(start + (i + 1) * points, stop)};
  }
}

// 3-D, one warp a column, a lane a z cell. Costs are added along z. A task begins where their sum
// passes a multiple of the target, after a gap that costs more slabs than a new task, and at a
// crowded cell: tasks that such a cell fills stand alone. The lane that begins a task writes the
// task before.
__global__ void cutColumns(const std::uint32_t* offsets, int columns, int gridZ, int classes, int cells,
                           int batchPoints, float target, TensorTask* tasks, int* taskCount, int taskLimit) {
  const int column = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
  if (column >= columns) return;
  const auto own = [&](int z) { return int(offsets[(std::int64_t(column) * gridZ + z) * classes]); };
  if (own(0) == own(gridZ)) return;
  const int full = max(1, int(target)) * batchPoints;
  // The open task, and the last cell with points.
  int openZ = -1, openBegin = 0, lastZ = -1, lastId = -1;
  float before = 0;
  for (int z0 = 0; z0 < gridZ; z0 += 32) {
    const int z = z0 + lane, cellBegin = own(min(z, gridZ)), end = own(min(z + 1, gridZ));
    const unsigned filled = __ballot_sync(~0u, end > cellBegin);
    if (filled == 0) continue;
    const bool isFilled = end > cellBegin, isCrowded = end - cellBegin > full;
    const int whole = isCrowded ? (end - cellBegin) / full : 0, begin = cellBegin + whole * full;
    const float mine = isFilled ? float((end - begin + batchPoints - 1) / batchPoints) + flushCost : 0;
    const float sum = sumUpTo(mine, lane);
    const int id = int((before + sum - 0.5f * mine) / target);
    const unsigned below = filled & ((1u << lane) - 1);
    const int previous = below ? 31 - __clz(int(below)) : lane;
    const int previousId = __shfl_sync(~0u, id, previous);
    const int previousZ = below ? z0 + previous : lastZ;
    const bool begins = isFilled && (isCrowded || openZ < 0 && !below || z - previousZ > cells ||
                                     id != (below ? previousId : lastId));
    const unsigned starts = __ballot_sync(~0u, begins), startsBelow = starts & ((1u << lane) - 1);
    const int starter = startsBelow ? 31 - __clz(int(startsBelow)) : lane;
    const int starterBegin = __shfl_sync(~0u, begin, starter);
    const int fromZ = startsBelow ? z0 + starter : openZ, from = startsBelow ? starterBegin : openBegin;
    const bool closes = begins && fromZ >= 0 && from < cellBegin;
    const int slot = roomFor(closes, lane, taskCount);
    if (closes && slot < taskLimit) tasks[slot] = {column, fromZ, previousZ + 1, from, cellBegin};
    if (__any_sync(~0u, isCrowded))
      writeParts(whole, full, column, z, cellBegin, begin, lane, tasks, taskCount, taskLimit);
    const int lastFilled = 31 - __clz(int(filled));
    if (starts) {
      const int last = 31 - __clz(int(starts));
      openZ = z0 + last;
      openBegin = __shfl_sync(~0u, begin, last);
    }
    lastZ = z0 + lastFilled;
    lastId = __shfl_sync(~0u, id, lastFilled);
    before += __shfl_sync(~0u, sum, 31);
  }
  const int end = own(gridZ);
  if (lane == 0 && openBegin < end) {
    const int slot = atomicAdd(taskCount, 1);
    if (slot < taskLimit) tasks[slot] = {column, openZ, lastZ + 1, openBegin, end};
  }
}

// 2-D, one lane a column: tasks of equal size.
__global__ void cutTiles(const std::uint32_t* offsets, int columns, int batchPoints, float target,
                         TensorTask* tasks, int* taskCount, int taskLimit) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const bool exists = column < columns;
  const int begin = exists ? int(offsets[column]) : 0, end = exists ? int(offsets[column + 1]) : 0;
  const int full = max(1, int(target)) * batchPoints;
  const int wanted = (end - begin + full - 1) / full;
  const int each = wanted > 0 ? (end - begin + wanted - 1) / wanted : 1;
  const int size = (each + batchPoints - 1) / batchPoints * batchPoints,
            parts = (end - begin + size - 1) / size;
  writeParts(parts, size, column, 0, begin, end, int(threadIdx.x & 31), tasks, taskCount, taskLimit);
}

template <class Real>
int slabsOf(const TensorLayout<Real>& l) {
  return l.dims == 3 ? l.cells : 1;
}

template <class Real>
constexpr int pointsPerProduct = sizeof(Real) == 8 ? 4 : 16;

// The cost of a task's cells, without the slabs at its ends. It gives about tasksPerSlot tasks for
// each warp (or block) that the device holds. Each task gets enough work to make flushing the slabs
// at its two ends a small part.
template <class Real>
float targetCost(const TensorLayout<Real>& l, std::int64_t points) {
  constexpr int slotsPerMultiprocessor = 8;
  int multiprocessors = 0;
  const int device = currentDevice();
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "asking for the device");
  const double cells = std::min(double(points), double(l.sortKeys()));
  const double total = double(points) / pointsPerProduct<Real> + cells * (0.5 + flushCost);
  const double even = total / (double(tasksPerSlot) * slotsPerMultiprocessor * multiprocessors);
  return float(std::max(even, 6.0 * l.cells * flushCost) - (slabsOf(l) - 1) * flushCost);
}

}  // namespace

template <class Real>
int tensorTaskLimit(const TensorLayout<Real>& l, std::int64_t points) {
  const double cost = std::floor(targetCost(l, points));
  const double cells = std::min(double(points), double(l.sortKeys()));
  // A crowded cell is a separate task, with a task before and after it.
  const double full = (3 * double(points) / pointsPerProduct<Real> + 2 * cells) / cost;
  const double gaps = std::min(double(points), double(l.columns()) * (1 + double(l.gridZ) / (l.cells + 1)));
  return int(std::min(full + gaps + 1, double(std::max<std::int64_t>(points, 1))));
}

template <class Real>
void cutTasks(const TensorLayout<Real>& l, std::int64_t points, const std::uint32_t* offsets,
              const TensorTasks& to, cudaStream_t stream) {
  const int columns = int(l.columns());
  if (l.dims == 3)
    cutColumns<<<blocksFor(std::int64_t(columns) * 32), threadsPerBlock, 0, stream>>>(
        offsets, columns, l.gridZ, l.classes, l.cells, pointsPerProduct<Real>, targetCost(l, points),
        to.tasks, to.count, to.limit);
  else
    cutTiles<<<blocksFor(columns), threadsPerBlock, 0, stream>>>(
        offsets, columns, pointsPerProduct<Real>, targetCost(l, points), to.tasks, to.count, to.limit);
  checkLaunch("sorting points");
}

template int tensorTaskLimit(const TensorLayout<float>&, std::int64_t);
template int tensorTaskLimit(const TensorLayout<double>&, std::int64_t);
template void cutTasks(const TensorLayout<float>&, std::int64_t, const std::uint32_t*, const TensorTasks&,
                       cudaStream_t);
template void cutTasks(const TensorLayout<double>&, std::int64_t, const std::uint32_t*, const TensorTasks&,
                       cudaStream_t);

}  // namespace spokelab::gpu
