#include "cuda/nufft/tensor/tensor_sort.h"

#include <algorithm>
#include <cmath>

#include "cuda/device/device_scope.h"
#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/counting_sort.cuh"
#include "cuda/nufft/points/locate.cuh"
#include "cuda/nufft/tensor/tensor_launch.h"

namespace spokelab::gpu {
namespace {

// Cost of flushing one slab, in matrix products of 16 points (measured: 0.8 to 1.2).
constexpr float flushCost = 1.0f;

struct SortShape {
  int dims, gridX, gridY, gridZ, blockX, blockY, columnsX;
  double halfWidth, scale;  // W / 2, 2 / W
};

struct Place {
  int key;
  double x, y, z;  // kernel coordinates v (TensorPoint)
};

// First touched cell in [0, G) and its distance from the point, in cells.
__device__ __forceinline__ int firstTouched(double k, int grid, double halfWidth, double& distance) {
  const int cell = firstCell(k, grid, halfWidth, distance);
  distance -= halfWidth;
  return cell;
}

__device__ __forceinline__ Place place(const double* k, const SortShape& s, int* notFinite) {
  double dx, dy, dz = 0;  // to the first cells
  const int x = firstTouched(usable(k[0], notFinite), s.gridX, s.halfWidth, dx),
            y = firstTouched(usable(k[1], notFinite), s.gridY, s.halfWidth, dy);
  const int z = s.dims == 3 ? firstTouched(usable(k[2], notFinite), s.gridZ, s.halfWidth, dz) : 0;
  const int cx = x / s.blockX, cy = y / s.blockY;
  constexpr int centre = tensorColumn / 2;
  return {(cy * s.columnsX + cx) * s.gridZ + z, (dx + cx * s.blockX + centre - x) * s.scale,
          (dy + cy * s.blockY + centre - y) * s.scale, dz * s.scale};
}

template <class Real>
__device__ __forceinline__ Real bits(std::uint32_t index) {
  if constexpr (sizeof(Real) == 4)
    return __uint_as_float(index);
  else
    return __longlong_as_double(index);
}

template <class Real, int Dims>
__device__ __forceinline__ TensorPoint<Real, Dims> record(const Place& p, std::uint32_t index) {
  if constexpr (Dims == 3)
    return {Real(p.x), Real(p.y), Real(p.z), bits<Real>(index)};
  else
    return {Real(p.x), Real(p.y)};
}

// unsorted, where given, becomes the records in the caller's order.
template <class Real, int Dims>
__global__ void makeKeys(const double* coordinates, std::int64_t count, SortShape s, KeySorter::Room room,
                         TensorPoint<Real, Dims>* unsorted, int* notFinite) {
  const std::int64_t j = globalThread();
  if (j >= count) return;
  const Place p = place(coordinates + j * s.dims, s, notFinite);
  room.keys[j] = std::uint32_t(p.key);
  room.index[j] = std::uint32_t(j);
  if (unsorted) unsorted[j] = record<Real, Dims>(p, std::uint32_t(j));
}

// Also sets the number of tasks to zero, before they are cut.
__global__ void __launch_bounds__(countThreads)
    countKeys(const double* coordinates, std::int64_t count, SortShape s, const KeyCounts counted,
              int* taskCount, int* notFinite) {
  const std::int64_t j = globalThread();
  if (j == 0) *taskCount = 0;
  const bool exists = j < count;
  const int key = exists ? place(coordinates + j * s.dims, s, notFinite).key : 0;
  countPoint(counted, j, std::uint32_t(key), exists);
  addUpInLastBlock(counted);
}

// The pipeline reads the records after the last one ahead, and never uses them.
template <class Point>
__device__ __forceinline__ void clearRecord(std::int64_t at, std::uint32_t* order, Point* points) {
  points[at] = {};
  order[at] = 0;
}

// Counted points go to their positions.
template <class Real, int Dims>
__global__ void placeRecords(const double* coordinates, std::int64_t count, SortShape s,
                             const KeyCounts counted, std::uint32_t* order, TensorPoint<Real, Dims>* points,
                             int* notFinite) {
  const std::int64_t j = globalThread();
  if (j >= count + tensorPadding) return;
  if (j >= count) return clearRecord(j, order, points);
  const std::uint32_t to = counted.start[counted.keys[j]] + counted.numbers[j];
  order[to] = std::uint32_t(j);
  points[to] = record<Real, Dims>(place(coordinates + j * s.dims, s, notFinite), std::uint32_t(j));
}

template <class Real, int Dims>
__global__ void gather(const double* coordinates, std::int64_t count, SortShape s, std::uint32_t* order,
                       const TensorPoint<Real, Dims>* unsorted, TensorPoint<Real, Dims>* points,
                       int* notFinite) {
  const std::int64_t to = globalThread();
  if (to >= count + tensorPadding) return;
  if (to >= count) return clearRecord(to, order, points);
  const std::uint32_t j = order[to];
  if (unsorted) {
    points[to] = unsorted[j];
    return;
  }
  points[to] = record<Real, Dims>(place(coordinates + std::int64_t(j) * s.dims, s, notFinite), j);
}

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
__global__ void cutColumns(const std::uint32_t* offsets, int columns, int gridZ, int cells, int batchPoints,
                           float target, TensorTask* tasks, int* taskCount, int taskLimit) {
  const int column = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
  if (column >= columns) return;
  const std::uint32_t* own = offsets + std::int64_t(column) * gridZ;
  if (own[0] == own[gridZ]) return;
  const int full = max(1, int(target)) * batchPoints;
  // The open task, and the last cell with points.
  int openZ = -1, openBegin = 0, lastZ = -1, lastId = -1;
  float before = 0;
  for (int z0 = 0; z0 < gridZ; z0 += 32) {
    const int z = z0 + lane, cellBegin = int(own[min(z, gridZ)]), end = int(own[min(z + 1, gridZ)]);
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
  const int end = int(own[gridZ]);
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

// Cost of a task's own cells, without the slabs at its ends. It makes about tasksPerSlot tasks for
// each warp (or block) that the device holds, but gives each task so much work that flushing the
// slabs at its two ends stays a small part.
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

// Upper bound of the tasks that `points` can make.
template <class Real>
int taskLimit(const TensorLayout<Real>& l, std::int64_t points) {
  const double cost = std::floor(targetCost(l, points));
  const double cells = std::min(double(points), double(l.sortKeys()));
  // A crowded cell stands alone, with a task before and after it.
  const double full = (3 * double(points) / pointsPerProduct<Real> + 2 * cells) / cost;
  const double gaps = std::min(double(points), double(l.columns()) * (1 + double(l.gridZ) / (l.cells + 1)));
  return int(std::min(full + gaps + 1, double(std::max<std::int64_t>(points, 1))));
}

template <class Real>
std::int64_t recordBytes(const TensorLayout<Real>& l) {
  return l.dims == 3 ? sizeof(TensorPoint<Real, 3>) : sizeof(TensorPoint<Real, 2>);
}

template <class Real>
SortShape sortShape(const TensorLayout<Real>& l) {
  return {l.dims, l.gridX, l.gridY, l.gridZ, l.blockX, l.blockY, l.columnsX, l.width / 2, 2 / l.width};
}

// Scattered records of more points take longer than a radix sort and gathering them (H100: 2.1 million
// random points 190 us against 165, 260 thousand 35 against 70).
constexpr std::int64_t maxCounted = std::int64_t(1) << 20;

template <class Real>
bool isCounted(const TensorLayout<Real>& l, std::int64_t points) {
  return points <= maxCounted && CountingSorter::serves(points, l.sortKeys());
}

}  // namespace

template <class Real>
template <int Dims>
void TensorOrder<Real>::sortByCounting(const TensorLayout<Real>& l, const PointSource<Real>& source,
                                       cudaStream_t stream) {
  const SortShape s = sortShape(l);
  CountingSorter& counter = source.orders->counter();
  int* const notFinite = source.orders->notFinite();
  order_.resize(count_ + tensorPadding);
  const KeyCounts counted =
      counter.begin(count_, l.sortKeys(), offsets_.data(), source.orders->room(), stream);
  countKeys<<<blocksFor(count_, countThreads), countThreads, 0, stream>>>(
      source.coordinates, count_, s, counted, taskCount_.data(), notFinite);
  checkLaunch("sorting points");
  counter.addUp(counted, stream);
  placeRecords<Real, Dims><<<blocksFor(count_ + tensorPadding), threadsPerBlock, 0, stream>>>(
      source.coordinates, count_, s, counted, order_.data(),
      reinterpret_cast<TensorPoint<Real, Dims>*>(points_.data()), notFinite);
  checkLaunch("sorting points");
}

template <class Real>
template <int Dims>
void TensorOrder<Real>::sort(const TensorLayout<Real>& l, const PointSource<Real>& source,
                             cudaStream_t stream) {
  using Point = TensorPoint<Real, Dims>;
  if (!source.orders->stable() && isCounted(l, count_)) return sortByCounting<Dims>(l, source, stream);
  const SortShape s = sortShape(l);
  taskCount_.zero(stream);
  // A record lies in one sector of memory, the coordinates that it is made of in two: gathering
  // records of random points is faster (2.1 million, float: 47 us instead of 76, for 10 us more
  // with the keys).
  Loan spare = source.orders->room();
  const std::int64_t alignment = 256,
                     bytes = (count_ * std::int64_t(sizeof(Point)) + alignment - 1) / alignment * alignment;
  const bool records = spare.bytes >= bytes;
  Point* const unsorted = records ? static_cast<Point*>(spare.data) : nullptr;
  if (records) spare = {static_cast<char*>(spare.data) + bytes, spare.bytes - bytes};
  KeySorter& sorter = source.orders->sorter();
  int* const notFinite = source.orders->notFinite();
  const KeySorter::Room room =
      sorter.room(count_, l.sortKeys(), order_, {{points_.data(), points_.bytes()}, spare});
  makeKeys<Real, Dims><<<blocksFor(count_), threadsPerBlock, 0, stream>>>(source.coordinates, count_, s, room,
                                                                          unsorted, notFinite);
  sorter.sort(stream);
  keyStarts(sorter.sorted(), count_, l.sortKeys(), offsets_.data(), stream);
  gather<Real, Dims><<<blocksFor(count_ + tensorPadding), threadsPerBlock, 0, stream>>>(
      source.coordinates, count_, s, order_.data(), unsorted, reinterpret_cast<Point*>(points_.data()),
      notFinite);
  checkLaunch("sorting points");
}

template <class Real>
void TensorOrder<Real>::setPoints(const TensorLayout<Real>& l, const PointSource<Real>& source,
                                  cudaStream_t stream) {
  if (generation_ == source.orders->generation()) return;
  generation_ = source.orders->generation();
  count_ = source.count;
  taskLimit_ = taskLimit(l, count_);
  points_.resize((count_ + tensorPadding) * (recordBytes(l) / std::int64_t(sizeof(Real))));
  offsets_.resize(l.sortKeys() + 1);
  tasks_.resize(taskLimit_);
  taskCount_.resize(1);
  if (count_ == 0) return taskCount_.zero(stream);
  if (l.dims == 3)
    sort<3>(l, source, stream);
  else
    sort<2>(l, source, stream);
  const int columns = int(l.columns());
  if (l.dims == 3)
    cutColumns<<<blocksFor(std::int64_t(columns) * 32), threadsPerBlock, 0, stream>>>(
        offsets_.data(), columns, l.gridZ, l.cells, pointsPerProduct<Real>, targetCost(l, count_),
        tasks_.data(), taskCount_.data(), taskLimit_);
  else
    cutTiles<<<blocksFor(columns), threadsPerBlock, 0, stream>>>(
        offsets_.data(), columns, pointsPerProduct<Real>, targetCost(l, count_), tasks_.data(),
        taskCount_.data(), taskLimit_);
  checkLaunch("sorting points");
}

template <class Real>
TensorPoints<Real> TensorOrder<Real>::view() const {
  return {count_,        points_.data(),    order_.data(), offsets_.data(),
          tasks_.data(), taskCount_.data(), taskLimit_};
}

template <class Real>
std::int64_t TensorOrder<Real>::pointBytes(int dims) {
  const std::size_t record = dims == 3 ? sizeof(TensorPoint<Real, 3>) : sizeof(TensorPoint<Real, 2>);
  return std::int64_t(record + sizeof(std::uint32_t));
}

template <class Real>
std::int64_t TensorOrder<Real>::estimate(const TensorLayout<Real>& l, std::int64_t points) {
  return (points + tensorPadding) * (recordBytes(l) + std::int64_t(sizeof(std::uint32_t))) +
         (l.sortKeys() + 1) * std::int64_t(sizeof(std::uint32_t)) +
         taskLimit(l, points) * std::int64_t(sizeof(TensorTask)) +
         (isCounted(l, points) ? std::max(CountingSorter::estimate(points, l.sortKeys()),
                                          KeySorter::estimate(points, recordBytes(l)))
                               : KeySorter::estimate(points, recordBytes(l)));
}

template class TensorOrder<float>;
template class TensorOrder<double>;

}  // namespace spokelab::gpu
