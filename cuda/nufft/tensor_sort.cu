// Sorts points by (column, first z cell) and cuts the columns into tasks of about equal cost, on the device and without
// synchronising.
#include <algorithm>
#include <cmath>

#include "cuda/nufft/launch.h"
#include "cuda/nufft/locate.cuh"
#include "cuda/nufft/tensor_device.cuh"
#include "cuda/nufft/tensor_launch.h"

namespace spokelab::gpu {
namespace {

constexpr float flushCost = 1.0f;  // of one slab, in matrix products of 16 points (measured: 0.8 to 1.2)

struct SortShape {
  int dims, gridX, gridY, gridZ, blockX, blockY, columnsX;
  double halfWidth, scale;  // W / 2, 2 / W
};

struct Place {
  int key;
  double x, y, z;  // kernel coordinates v (TensorPoint)
};

// First touched cell in [0, G) and its distance from the point, in cells.
__device__ __forceinline__ int firstCell(double k, int grid, double halfWidth, double& distance) {
  const double x = (k - floor(k)) * grid, first = ceil(x - halfWidth);
  distance = first - x;
  int cell = int(first);
  if (cell < 0) cell += grid;
  if (cell >= grid) cell -= grid;
  return cell;
}

__device__ __forceinline__ Place place(const double* k, const SortShape& s, int* notFinite) {
  double dx, dy, dz = 0;
  const int x = firstCell(usable(k[0], notFinite), s.gridX, s.halfWidth, dx),
            y = firstCell(usable(k[1], notFinite), s.gridY, s.halfWidth, dy);
  const int z = s.dims == 3 ? firstCell(usable(k[2], notFinite), s.gridZ, s.halfWidth, dz) : 0;
  const int cx = x / s.blockX, cy = y / s.blockY;
  constexpr int centre = tensorColumn / 2;
  return {(cy * s.columnsX + cx) * s.gridZ + z, (dx + cx * s.blockX + centre - x) * s.scale,
          (dy + cy * s.blockY + centre - y) * s.scale, dz * s.scale};
}

__global__ void makeKeys(const double* coordinates, std::int64_t count, SortShape s, KeySorter::Room room,
                         int* notFinite) {
  const std::int64_t j = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j >= count) return;
  room.keys[j] = std::uint32_t(place(coordinates + j * s.dims, s, notFinite).key);
  room.index[j] = std::uint32_t(j);
}

template <class Real>
__device__ __forceinline__ Real bits(std::uint32_t index) {
  if constexpr (sizeof(Real) == 4)
    return __uint_as_float(index);
  else
    return __longlong_as_double(index);
}

template <class Real>
__global__ void gather(const double* coordinates, std::int64_t count, SortShape s, std::uint32_t* order,
                       TensorPoint<Real>* points, int* notFinite) {
  const std::int64_t to = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (to >= count + tensorPadding) return;
  if (to >= count) {  // read ahead by the pipeline, never used
    points[to] = {};
    order[to] = 0;
    return;
  }
  const std::uint32_t j = order[to];
  const Place p = place(coordinates + std::int64_t(j) * s.dims, s, notFinite);
  points[to] = {Real(p.x), Real(p.y), Real(p.z), bits<Real>(j)};
}

// One warp a column: walks its z cells and closes a task when its cost is reached, at a gap that costs more slabs
// than a new task, and at the end.
__global__ void cutTasks(const std::uint32_t* offsets, int columns, int gridZ, int cells, int batchPoints,
                         float targetCost, TensorTask* tasks, int* taskCount, int taskLimit) {
  const int column = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
  if (column >= columns) return;
  const std::uint32_t* own = offsets + std::int64_t(column) * gridZ;
  if (own[0] == own[gridZ]) return;
  TensorTask open{column, 0, 0, 0, 0};
  bool isOpen = false;
  float cost = 0;
  const auto close = [&] {
    if (lane == 0) {
      const int slot = atomicAdd(taskCount, 1);
      if (slot < taskLimit) tasks[slot] = open;
    }
    isOpen = false;
  };
  for (int z0 = 0; z0 < gridZ; z0 += 32) {
    const int z1 = min(z0 + 32, gridZ);
    const int mineBegin = int(own[min(z0 + lane, gridZ)]), mineEnd = int(own[min(z0 + lane + 1, gridZ)]);
    unsigned filled = __ballot_sync(~0u, z0 + lane < z1 && mineEnd > mineBegin);
    while (filled) {
      const int i = __ffs(filled) - 1, z = z0 + i;
      filled &= filled - 1;
      int begin = __shfl_sync(~0u, mineBegin, i);
      const int end = __shfl_sync(~0u, mineEnd, i);
      if (isOpen && z - open.zEnd >= cells) close();
      const int full = max(1, int(targetCost - cells * flushCost)) * batchPoints;
      if (end - begin >= 2 * full) {  // a crowded cell: its tasks are written by all lanes at once
        if (isOpen) close();
        const int whole = (end - begin) / full;
        int slot = 0;
        if (lane == 0) slot = atomicAdd(taskCount, whole);
        slot = __shfl_sync(~0u, slot, 0);
        for (int i = lane; i < whole; i += 32)
          if (slot + i < taskLimit)
            tasks[slot + i] = {column, z, z + 1, begin + i * full, begin + (i + 1) * full};
        begin += whole * full;
      }
      while (begin < end) {
        if (!isOpen) {
          open.zBegin = z;
          open.zEnd = z;
          open.begin = begin;
          cost = (cells - 1) * flushCost;
          isOpen = true;
        }
        cost += (z + 1 - open.zEnd) * flushCost;
        open.zEnd = z + 1;
        const int room = max(1, int(targetCost - cost)) * batchPoints;
        const int take = min(room, end - begin);
        cost += (take + batchPoints - 1) / batchPoints;
        begin += take;
        open.end = begin;
        if (cost >= targetCost) close();
      }
    }
  }
  if (isOpen) close();
}

template <class Real>
constexpr int pointsPerProduct = sizeof(Real) == 8 ? 4 : 16;

// Cost that makes about tasksPerSlot tasks for each warp (or block) that the device holds, but enough work in each
// that the slabs flushed at its two ends stay a small part.
template <class Real>
float targetCost(const TensorLayout<Real>& l, std::int64_t points) {
  constexpr int slotsPerMultiprocessor = 8;
  int multiprocessors = 0, device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "asking for the device");
  const double cells = std::min(double(points), double(l.sortKeys()));
  const double total = double(points) / pointsPerProduct<Real> + cells * (0.5 + flushCost);
  const double even = total / (double(tasksPerSlot) * slotsPerMultiprocessor * multiprocessors);
  return float(std::max(even, 6.0 * l.cells * flushCost));
}

// Upper bound of the tasks that `points` can make.
template <class Real>
int taskLimit(const TensorLayout<Real>& l, std::int64_t points) {
  const double cost = targetCost(l, points) - (l.cells - 1) * flushCost;
  const double cells = std::min(double(points), double(l.sortKeys()));
  const double full = (double(points) / pointsPerProduct<Real> + 2 * cells) / cost;
  const double gaps = std::min(double(points), double(l.columns()) * (1 + double(l.gridZ) / (l.cells + 1)));
  return int(std::min(full + gaps + 1, double(std::max<std::int64_t>(points, 1))));
}

}  // namespace

template <class Real>
void TensorOrder<Real>::setPoints(const TensorLayout<Real>& l, const PointSource<Real>& source,
                                  cudaStream_t stream) {
  if (generation_ == source.orders->generation()) return;
  generation_ = source.orders->generation();
  count_ = source.count;
  taskLimit_ = taskLimit(l, count_);
  points_.resize(count_ + tensorPadding);
  offsets_.resize(l.sortKeys() + 1);
  tasks_.resize(taskLimit_);
  taskCount_.resize(1);
  taskCount_.zero(stream);
  if (count_ == 0) return;
  const SortShape s{l.dims,   l.gridX,    l.gridY,     l.gridZ,    l.blockX,
                    l.blockY, l.columnsX, l.width / 2, 2 / l.width};
  KeySorter& sorter = source.orders->sorter();
  int* const notFinite = source.orders->notFinite();
  makeKeys<<<blocksFor(count_), threadsPerBlock, 0, stream>>>(source.coordinates, count_, s,
                                                              sorter.room(count_), notFinite);
  sorter.sort(count_, keyBits(l.sortKeys()), order_, stream);
  keyStarts(sorter.sorted(), count_, l.sortKeys(), offsets_.data(), stream);
  gather<Real><<<blocksFor(count_ + tensorPadding), threadsPerBlock, 0, stream>>>(
      source.coordinates, count_, s, order_.data(), points_.data(), notFinite);
  const int columns = int(l.columns()), slabs = l.dims == 3 ? l.cells : 1;
  cutTasks<<<blocksFor(std::int64_t(columns) * 32), threadsPerBlock, 0, stream>>>(
      offsets_.data(), columns, l.gridZ, slabs, pointsPerProduct<Real>, targetCost(l, count_), tasks_.data(),
      taskCount_.data(), taskLimit_);
  checkLaunch("sorting points");
}

template <class Real>
TensorPoints<Real> TensorOrder<Real>::view() const {
  return {count_,        points_.data(),    order_.data(), offsets_.data(),
          tasks_.data(), taskCount_.data(), taskLimit_};
}

template <class Real>
std::int64_t TensorOrder<Real>::estimate(const TensorLayout<Real>& l, std::int64_t points) {
  return (points + tensorPadding) * std::int64_t(sizeof(TensorPoint<Real>) + sizeof(std::uint32_t)) +
         (l.sortKeys() + 1) * std::int64_t(sizeof(std::uint32_t)) +
         taskLimit(l, points) * std::int64_t(sizeof(TensorTask)) + KeySorter::estimate(points);
}

int tensorBlocks(const void* kernel, int threads, int taskLimit) {
  int resident = 0, multiprocessors = 0, device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "asking for the device");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0),
        "asking for the occupancy");
  return std::max(1, std::min(taskLimit, tasksPerSlot * std::max(1, resident) * multiprocessors));
}

template class TensorOrder<float>;
template class TensorOrder<double>;

}  // namespace spokelab::gpu
