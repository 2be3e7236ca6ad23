#include "cuda/nufft/tensor/tensor_sort.h"

#include <algorithm>

#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bucket_sort.cuh"
#include "cuda/nufft/points/counting_sort.cuh"
#include "cuda/nufft/points/locate.cuh"

namespace spokelab::gpu {
namespace {

struct SortShape {
  int dims, gridX, gridY, gridZ, blockX, blockY, columnsX, column, classes, splitX;
  double halfWidth, scale;  // W / 2 (double: of whole cells), 2 / W
  Divider perBlockX, perBlockY;
};

struct Place {
  int key;
  int ownX, ownY;        // first touched cell, of the column's
  double toX, toY, toZ;  // from where the touched interval begins to its first cell, in [0, 1)
};

__device__ __forceinline__ Place place(const double* k, const SortShape& s, int* notFinite) {
  Place p;
  p.toZ = 0;
  const int x = firstCell(usable(k[0], notFinite), s.gridX, s.halfWidth, p.toX),
            y = firstCell(usable(k[1], notFinite), s.gridY, s.halfWidth, p.toY);
  const int z = s.dims == 3 ? firstCell(usable(k[2], notFinite), s.gridZ, s.halfWidth, p.toZ) : 0;
  const int cx = int(s.perBlockX(std::uint32_t(x))), cy = int(s.perBlockY(std::uint32_t(y)));
  p.ownX = x - cx * s.blockX;
  p.ownY = y - cy * s.blockY;
  p.key = (cy * s.columnsX + cx) * s.gridZ + z;
  if (s.classes == 2) p.key = 2 * p.key + (p.ownX >= s.splitX);
  return p;
}

template <class Real>
__device__ __forceinline__ Real bits(std::uint32_t index) {
  if constexpr (sizeof(Real) == 4)
    return __uint_as_float(index);
  else
    return __longlong_as_double(index);
}

template <class Real>
__device__ __forceinline__ Real coordinate(double to, int own, const SortShape& s) {
  if constexpr (sizeof(Real) == 4)
    return Real((to - s.halfWidth + wholeDouble(s.column / 2 - own)) * s.scale);
  else
    return wholeDouble(own) - to;
}

template <class Real, int Dims>
__device__ __forceinline__ TensorPoint<Real, Dims> record(const Place& p, std::uint32_t index,
                                                          const SortShape& s) {
  const Real x = coordinate<Real>(p.toX, p.ownX, s), y = coordinate<Real>(p.toY, p.ownY, s);
  if constexpr (Dims == 2)
    return {x, y};
  else if constexpr (sizeof(Real) == 4)
    return {x, y, Real((p.toZ - s.halfWidth) * s.scale), bits<Real>(index)};
  else
    return {x, y, p.toZ - 0.5, bits<Real>(index)};
}

// The value that the bucket sort moves in float: a record and, if the record does not hold it, the
// point's position in the caller's order.
template <class Real, int Dims>
struct MovedPoint {
  TensorPoint<Real, Dims> point;
  __device__ __forceinline__ std::uint32_t number() const { return __float_as_uint(point.index); }
};
template <class Real>
struct MovedPoint<Real, 2> {
  TensorPoint<Real, 2> point;
  std::uint32_t index;
  __device__ __forceinline__ std::uint32_t number() const { return index; }
};

template <class Real, int Dims>
struct CallersPoints {
  using Record = MovedPoint<Real, Dims>;
  const double* coordinates;
  SortShape shape;
  int* notFinite;
  __device__ __forceinline__ std::uint32_t key(std::int64_t j) const {
    return std::uint32_t(place(coordinates + j * Dims, shape, notFinite).key);
  }
  __device__ __forceinline__ Record operator()(std::int64_t j, std::uint32_t& key) const {
    const Place p = place(coordinates + j * Dims, shape, notFinite);
    key = std::uint32_t(p.key);
    if constexpr (Dims == 3)
      return {record<Real, Dims>(p, std::uint32_t(j), shape)};
    else
      return {record<Real, Dims>(p, std::uint32_t(j), shape), std::uint32_t(j)};
  }
};

// Records of double, of 32 bytes, do not move: their numbers do, and they are made in order.
template <class Real>
constexpr bool movesRecords = sizeof(Real) == sizeof(float);

template <int Dims>
struct ColumnKeys {
  const double* coordinates;
  SortShape shape;
  int* notFinite;
  __device__ __forceinline__ std::uint32_t operator()(std::int64_t j) const {
    return std::uint32_t(place(coordinates + j * Dims, shape, notFinite).key);
  }
};

template <class Real, int Dims>
struct SortedPoints {
  TensorPoint<Real, Dims>* points;
  std::uint32_t* order;
  __device__ __forceinline__ void operator()(std::uint32_t at, const MovedPoint<Real, Dims>& moved) const {
    points[at] = moved.point;
    order[at] = moved.number();
  }
};

// unsorted, where given, becomes the records in the caller's order.
template <class Real, int Dims>
__global__ void makeKeys(const double* coordinates, std::int64_t count, SortShape s, KeySorter::Room room,
                         TensorPoint<Real, Dims>* unsorted, int* notFinite) {
  const std::int64_t j = globalThread();
  if (j >= count) return;
  const Place p = place(coordinates + j * s.dims, s, notFinite);
  room.keys[j] = std::uint32_t(p.key);
  room.index[j] = std::uint32_t(j);
  if (unsorted) unsorted[j] = record<Real, Dims>(p, std::uint32_t(j), s);
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
  points[to] = record<Real, Dims>(place(coordinates + j * s.dims, s, notFinite), std::uint32_t(j), s);
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
  points[to] = record<Real, Dims>(place(coordinates + std::int64_t(j) * s.dims, s, notFinite), j, s);
}

template <class Real>
std::int64_t recordBytes(int dims) {
  return dims == 3 ? sizeof(TensorPoint<Real, 3>) : sizeof(TensorPoint<Real, 2>);
}

template <class Real>
SortShape sortShape(const TensorLayout<Real>& l) {
  return {l.dims,
          l.gridX,
          l.gridY,
          l.gridZ,
          l.blockX,
          l.blockY,
          l.columnsX,
          l.column,
          l.classes,
          l.splitX(),
          sizeof(Real) == 4 ? l.width / 2 : l.cells / 2.0,
          2 / l.width,
          Divider(std::uint32_t(l.blockX)),
          Divider(std::uint32_t(l.blockY))};
}

// Scattered records of more points take longer than a radix sort and gathering them (H100: 2.1
// million random points 190 us against 165, 260 thousand 35 against 70).
constexpr std::int64_t maxCounted = std::int64_t(1) << 20;

template <class Real>
bool isCounted(const TensorLayout<Real>& l, std::int64_t points) {
  return points < maxCounted && CountingSorter::serves(points, l.sortKeys());
}

template <class Real>
std::int64_t movedBytes(const TensorLayout<Real>& l) {
  if (!movesRecords<Real>) return sizeof(std::uint32_t);
  return l.dims == 3 ? sizeof(MovedPoint<Real, 3>) : sizeof(MovedPoint<Real, 2>);
}

template <class Real>
bool isBucketed(const TensorLayout<Real>& l, std::int64_t points, PointOrders<Real>& orders,
                const Loan& room) {
  return BucketSorter::pays(points, l.sortKeys()) &&
         BucketSorter::serves(points, l.sortKeys(), 1, movedBytes(l), orders.device()) &&
         orders.affords(
             orders.buckets().lacking(points, l.sortKeys(), 1, movedBytes(l), room, orders.device()),
             points * TensorOrder<Real>::pointBytes(l.dims));
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
void TensorOrder<Real>::sortByBuckets(const TensorLayout<Real>& l, const PointSource<Real>& source,
                                      const Loan& room, cudaStream_t stream) {
  using Point = TensorPoint<Real, Dims>;
  PointOrders<Real>& orders = *source.orders;
  const SortShape s = sortShape(l);
  taskCount_.zero(stream);
  order_.resize(count_ + tensorPadding);
  auto* const points = reinterpret_cast<Point*>(points_.data());
  const auto sort = [&](const auto& from, const auto& to) {
    orders.buckets().sort(from, to, count_, l.sortKeys(), offsets_.data(), room, orders.device(), stream);
  };
  if constexpr (movesRecords<Real>) {
    check(cudaMemsetAsync(points + count_, 0, tensorPadding * sizeof(Point), stream), "sorting points");
    check(cudaMemsetAsync(order_.data() + count_, 0, tensorPadding * sizeof(std::uint32_t), stream),
          "sorting points");
    sort(CallersPoints<Real, Dims>{source.coordinates, s, orders.notFinite()},
         SortedPoints<Real, Dims>{points, order_.data()});
  } else {
    // The order is written last.
    sort(NumberedPoints<ColumnKeys<Dims>>{{source.coordinates, s, orders.notFinite()}, order_.data()},
         NumbersInOrder{order_.data()});
    gather<Real, Dims><<<blocksFor(count_ + tensorPadding), threadsPerBlock, 0, stream>>>(
        source.coordinates, count_, s, order_.data(), nullptr, points, orders.notFinite());
    checkLaunch("sorting points");
  }
}

template <class Real>
template <int Dims>
void TensorOrder<Real>::sort(const TensorLayout<Real>& l, const PointSource<Real>& source,
                             cudaStream_t stream) {
  using Point = TensorPoint<Real, Dims>;
  if (!source.orders->stable()) {
    const Loan room = movesRecords<Real> ? source.orders->room() : Loan{points_.data(), points_.bytes()};
    if (isBucketed(l, count_, *source.orders, room)) return sortByBuckets<Dims>(l, source, room, stream);
    if (isCounted(l, count_)) return sortByCounting<Dims>(l, source, stream);
  }
  const SortShape s = sortShape(l);
  taskCount_.zero(stream);
  // A record is in one sector of memory, the coordinates that it is made of are in two: gathering
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
  taskLimit_ = tensorTaskLimit(l, count_);
  points_.resize((count_ + tensorPadding) * (recordBytes<Real>(l.dims) / std::int64_t(sizeof(Real))));
  offsets_.resize(l.sortKeys() + 1);
  tasks_.resize(taskLimit_);
  taskCount_.resize(1);
  if (count_ == 0) return taskCount_.zero(stream);
  if (l.dims == 3)
    sort<3>(l, source, stream);
  else
    sort<2>(l, source, stream);
  cutTasks(l, count_, offsets_.data(), {tasks_.data(), taskCount_.data(), taskLimit_}, stream);
}

template <class Real>
TensorPoints<Real> TensorOrder<Real>::view() const {
  return {count_,        points_.data(),    order_.data(), offsets_.data(),
          tasks_.data(), taskCount_.data(), taskLimit_};
}

template <class Real>
std::int64_t TensorOrder<Real>::pointBytes(int dims) {
  return recordBytes<Real>(dims) + std::int64_t(sizeof(std::uint32_t));
}

template <class Real>
std::int64_t TensorOrder<Real>::estimate(const TensorLayout<Real>& l, std::int64_t points) {
  // A reproducible plan takes a stable sort.
  std::int64_t scratch = KeySorter::estimate(points, recordBytes<Real>(l.dims));
  if (isCounted(l, points)) scratch = std::max(scratch, CountingSorter::estimate(points, l.sortKeys()));
  return (points + tensorPadding) * pointBytes(l.dims) +
         (l.sortKeys() + 1) * std::int64_t(sizeof(std::uint32_t)) +
         tensorTaskLimit(l, points) * std::int64_t(sizeof(TensorTask)) + scratch;
}

template class TensorOrder<float>;
template class TensorOrder<double>;

}  // namespace spokelab::gpu
