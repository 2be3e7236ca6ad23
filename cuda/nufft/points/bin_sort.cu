#include "cuda/nufft/points/bin_sort.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bin_shape.cuh"
#include "cuda/nufft/points/counting_sort.cuh"
#include "cuda/nufft/points/deal.cuh"
#include "engine/core/error.h"

namespace spokelab::gpu {
namespace {

__global__ void makeKeys(const __grid_constant__ BinShape shape, const double* coordinates,
                         std::int64_t count, const std::uint32_t* setOfPoint, KeySorter::Room room,
                         int* notFinite) {
  const std::int64_t j = globalThread();
  if (j >= count) return;
  room.keys[j] = keyOf(shape, coordinates, j, setOfPoint, notFinite);
  room.index[j] = std::uint32_t(j);
}

__global__ void __launch_bounds__(countThreads)
    countKeys(const __grid_constant__ BinShape shape, const double* coordinates, std::int64_t count,
              const std::uint32_t* setOfPoint, const KeyCounts counted, int* notFinite) {
  const std::int64_t j = globalThread();
  const bool exists = j < count;
  const std::uint32_t key = exists ? keyOf(shape, coordinates, j, setOfPoint, notFinite) : 0;
  countPoint(counted, j, key, exists);
  addUpInLastBlock(counted);
}

// Points of a bin that a warp deals out together, at most.
constexpr int dealtPoints = 1024;
constexpr int lanes = 32;

// The points of a task, in the order of the sort by bin, dealt out among themselves; a warp a task.
// keys, numbers: of the sort.
template <int Classes>
__global__ void __launch_bounds__(threadsPerBlock)
    deal(const std::uint32_t* keys, const std::uint32_t* numbers, const __grid_constant__ TaskRange tasks,
         std::uint32_t* permutation) {
  constexpr int aligned = 4;
  constexpr unsigned all = 0xffffffff;
  __shared__ __align__(16) std::uint32_t starts[threadsPerBlock / lanes][Classes + aligned];
  __shared__ std::uint32_t taken[threadsPerBlock / lanes][Classes];
  const std::int64_t t = globalThread() / lanes;
  if (t >= *tasks.end) return;
  const Task task = tasks.tasks[t];
  const unsigned lane = threadIdx.x % lanes;
  std::uint32_t *const start = starts[threadIdx.x / lanes], *const next = taken[threadIdx.x / lanes];
  if (lane < Classes) next[lane] = 0;
  __syncwarp();
  for (std::uint32_t i = task.begin + lane; i < task.end; i += lanes) atomicAdd(next + keys[i] % Classes, 1u);
  __syncwarp();
  const std::uint32_t own = lane < Classes ? next[lane] : 0;
  std::uint32_t upTo = own;
#pragma unroll
  for (unsigned step = 1; step <= Classes; step *= 2) {
    const std::uint32_t before = __shfl_up_sync(all, upTo, step);
    if (lane >= step) upTo += before;
  }
  if (lane <= Classes) start[lane] = upTo - own;
  if (lane < Classes) next[lane] = 0;
  __syncwarp();
  for (std::uint32_t first = task.begin; first < task.end; first += lanes) {
    const std::uint32_t i = first + lane;
    const bool exists = i < task.end;
    const std::uint32_t c = exists ? keys[i] % Classes : Classes;
    const unsigned same = __match_any_sync(all, c), before = same & ((1u << lane) - 1);
    if (exists)
      permutation[task.begin + dealtPosition<Classes>(start, c, next[c] + __popc(before))] = numbers[i];
    __syncwarp();
    if (exists && before == 0) next[c] += __popc(same);
    __syncwarp();
  }
}

// Counted points go to their positions: their numbers, and their places where `places` is given. A
// bin begins where its first class does.
template <int Classes, class Word>
__global__ void placePoints(const __grid_constant__ BinShape shape, const double* coordinates,
                            std::int64_t count, const KeyCounts counted, std::int64_t bins,
                            std::uint32_t* binStart, std::uint32_t* permutation, Word* places,
                            int* notFinite) {
  const std::int64_t j = globalThread();
  if (Classes > 1 && j <= bins) binStart[j] = counted.start[j * Classes];
  if (j >= count) return;
  const std::uint32_t key = counted.keys[j], rank = counted.numbers[j];
  std::uint32_t to;
  if constexpr (Classes > 1)
    to = dealtPosition<Classes>(counted.start, key, rank);
  else
    to = counted.start[key] + rank;
  permutation[to] = std::uint32_t(j);
  if (!places) return;
  for (int d = 0; d < shape.dims; ++d)
    places[d * count + to] = placeWord<Word>(shape, coordinates + j * shape.dims, d, notFinite);
}

template <class Word>
__global__ void gatherPoints(const __grid_constant__ BinShape shape, const double* coordinates,
                             const std::uint32_t* permutation, std::int64_t count, Word* places,
                             int* notFinite) {
  const std::int64_t p = globalThread();
  if (p >= count) return;
  const std::int64_t j = permutation ? permutation[p] : p;
  for (int d = 0; d < shape.dims; ++d)
    places[d * count + p] = placeWord<Word>(shape, coordinates + j * shape.dims, d, notFinite);
}

template <class Real>
bool isCellOrder(const MethodSetup<Real>& setup, const std::array<int, 3>& bin) {
  return setup.dims == 1 && bin[0] == 1 && setup.sets == 1;
}

// Keys of a sort have 32 bits.
void requireKeys(std::int64_t keys) {
  if (keys > INT32_MAX)
    throw Error(
        "Cannot set the points of a transform",
        "all sets of points together have " + std::to_string(keys) + " tiles, more than can be numbered",
        "Set fewer sets of points together");
}

// True if an order of `points` points in `sets` sets is made by the bucket sort.
template <class Real>
bool isBucketed(const MethodSetup<Real>& setup, const std::array<int, 3>& bin, std::int64_t points,
                std::int64_t sets, bool stable = false) {
  if (bin[0] == 0 || stable || setup.reproducible || isCellOrder(setup, bin)) return false;
  const BinShape shape = binShape(setup, bin, points);
  const std::int64_t bins = sets * shape.binCount();
  return BucketSorter::pays(points, bins * shape.classes) &&
         BucketSorter::serves(points, bins, shape.classes, sizeof(std::uint32_t), setup.device);
}

// True if an order that is not bucketed is made by counting. All other orders use the stable sort.
template <class Real>
bool isCounted(const MethodSetup<Real>& setup, const std::array<int, 3>& bin, std::int64_t points,
               bool stable = false) {
  const BinShape shape = binShape(setup, bin, points);
  return bin[0] > 0 && !stable && !setup.reproducible &&
         CountingSorter::serves(points, setup.sets * shape.binCount() * shape.classes);
}

}  // namespace

// Few points: counted, and written where they belong.
template <class Real>
template <class Word>
void PointOrders<Real>::makeByCounting(Order& order, DeviceBuffer<Word>& places,
                                       const std::array<int, 3>& bin, cudaStream_t stream) {
  // Beyond, scattered writes of places take longer than gathering coordinates (H100: equal at
  // 2^18).
  constexpr std::int64_t maxScattered = std::int64_t(1) << 18;
  const BinShape shape = binShape(setup_, bin, count_);
  const bool dealt = shape.classes > 1;
  const std::int64_t bins = sets_.count * shape.binCount(), keys = bins * shape.classes;
  places.resize(count_ * setup_.dims);
  order.permutation.resize(count_ + sortPadding);
  order.binStart.resize(bins + 1);
  if (dealt) order.classStart.resize(keys + 1);
  const KeyCounts counted =
      counter_.begin(count_, keys, dealt ? order.classStart.data() : order.binStart.data(), room_, stream);
  countKeys<<<blocksFor(count_, countThreads), countThreads, 0, stream>>>(shape, coordinates_, count_,
                                                                          sets_.ofPoint, counted, notFinite_);
  checkLaunch("sorting points");
  counter_.addUp(counted, stream);
  if (count_ == 0 && !dealt) return;
  const bool scattered = count_ <= maxScattered;
  const auto place = dealt ? placePoints<bankClasses<Real>, Word> : placePoints<1, Word>;
  place<<<blocksFor(std::max(count_, bins + 1)), threadsPerBlock, 0, stream>>>(
      shape, coordinates_, count_, counted, bins, order.binStart.data(), order.permutation.data(),
      scattered ? places.data() : nullptr, notFinite_);
  checkLaunch("sorting points");
  if (scattered) return;
  gatherPoints<Word><<<blocksFor(count_), threadsPerBlock, 0, stream>>>(
      shape, coordinates_, order.permutation.data(), count_, places.data(), notFinite_);
  checkLaunch("sorting points");
}

template <class Real>
template <class Word>
void PointOrders<Real>::make(Order& order, DeviceBuffer<Word>& places, const std::array<int, 3>& bin,
                             bool stable, cudaStream_t stream) {
  const BinShape shape = binShape(setup_, bin, count_);
  const bool bucketed = isBucketed(setup_, bin, count_, sets_.count, stable);
  order.stable = !bucketed && !isCounted(setup_, bin, count_, stable);
  if (!bucketed && !order.stable) return makeByCounting(order, places, bin, stream);
  if (isCellOrder(setup_, bin))
    return cells_.sort<Word>({shape.grid[0], shape.halfWidth, shape.bits}, coordinates_, count_, notFinite_,
                             room_, {places, order.permutation, order.binStart}, stream);
  const bool sorted = bin[0] > 0, dealt = shape.classes > 1;
  const std::int64_t bins = sets_.count * shape.binCount();
  requireKeys(bins * shape.classes);
  places.resize(count_ * setup_.dims);
  if (bucketed) {
    makeByBuckets(order, places.data(), shape, stream);
  } else if (sorted) {
    order.binStart.resize(bins + 1);
    const auto classes = std::uint32_t(shape.classes);
    const KeySorter::Room room = sorter_.room(
        count_, bins * shape.classes, order.permutation, {{places.data(), places.bytes()}, room_},
        dealt ? KeySorter::Result::beside : KeySorter::Result::permutation, std::countr_zero(classes));
    if (count_ > 0) {
      makeKeys<<<blocksFor(count_), threadsPerBlock, 0, stream>>>(shape, coordinates_, count_, sets_.ofPoint,
                                                                  room, notFinite_);
      checkLaunch("sorting points");
    }
    sorter_.sort(stream);
    keyStarts(sorter_.sorted(), count_, bins, order.binStart.data(), stream, classes);
    if (dealt) {
      constexpr int tasksPerBlock = threadsPerBlock / lanes;
      dealing_.build(order.binStart.data(), bins, count_, dealtPoints, stream);
      const TaskRange tasks = dealing_.range(0, bins, count_);
      deal<bankClasses<Real>><<<blocksFor(tasks.limit, tasksPerBlock), threadsPerBlock, 0, stream>>>(
          sorter_.sorted(), sorter_.numbers(), tasks, order.permutation.data());
      checkLaunch("sorting points");
    }
  }
  if (count_ > 0) {
    gatherPoints<Word><<<blocksFor(count_), threadsPerBlock, 0, stream>>>(
        shape, coordinates_, sorted ? order.permutation.data() : nullptr, count_, places.data(), notFinite_);
    checkLaunch("sorting points");
  }
}

template <class Real>
OrderedPoints<Real> PointOrders<Real>::order(const std::array<int, 3>& bin, cudaStream_t stream,
                                             bool stable) {
  auto& slot = orders_[bin];
  if (!slot) slot = std::make_unique<Order>();
  Order& order = *slot;
  const bool narrow = isNarrow(setup_);
  if (!order.current || (stable && !order.stable)) {
    if (!narrow)
      make(order, order.wide, bin, stable, stream);
    else if constexpr (sizeof(Real) == sizeof(float))
      make(order, order.narrow, bin, stable, stream);
    order.current = true;
  }
  OrderedPoints<Real> view;
  view.count = count_;
  if (narrow)
    view.narrow = order.narrow.data();
  else
    view.wide = order.wide.data();
  const BinShape shape = binShape(setup_, bin, count_);
  view.bits = shape.bits;
  view.step = Real(std::ldexp(1.0, -shape.bits));
  view.bin = shape.bin;
  view.bins = shape.bins;
  view.sets = sets_;
  if (bin[0] > 0) {
    view.permutation = order.permutation.data();
    view.binStart = order.binStart.data();
  }
  return view;
}

template <class Real>
std::int64_t PointOrders<Real>::memory() const {
  std::int64_t bytes =
      sorter_.memory() + cells_.memory() + counter_.memory() + buckets_.memory() + dealing_.memory();
  for (const auto& own : own_) bytes += own->memory();
  for (const auto& [bin, order] : orders_)
    bytes += order->narrow.bytes() + order->wide.bytes() + order->permutation.bytes() +
             order->classStart.bytes() + order->binStart.bytes();
  return bytes;
}

template <class Real>
std::int64_t PointOrders<Real>::pointBytes(const MethodSetup<Real>& setup) {
  return setup.dims * wordBytes(setup) + std::int64_t(sizeof(std::uint32_t));
}

template <class Real>
std::int64_t PointOrders<Real>::estimate(const MethodSetup<Real>& setup, const std::array<int, 3>& bin,
                                         std::int64_t points) {
  const std::int64_t places = points * setup.dims * wordBytes(setup);
  if (bin[0] == 0) return places;
  const BinShape shape = binShape(setup, bin, points);
  const bool counted = isCounted(setup, bin, points), dealt = shape.classes > 1;
  const std::int64_t bins = setup.sets * shape.binCount();
  // The scratch of whichever sort serves: by counting, by way of buckets, or stable on request.
  std::int64_t starts = bins + 2, scratch = isCellOrder(setup, bin)
                                                ? CellSorter::estimate(points, wordBytes(setup))
                                                : KeySorter::estimate(points, setup.dims * wordBytes(setup));
  if (isBucketed(setup, bin, points, setup.sets))
    scratch = std::max(scratch, BucketSorter().lacking(points, bins, shape.classes, sizeof(std::uint32_t),
                                                       {nullptr, places}, setup.device));
  if (counted) scratch = std::max(scratch, CountingSorter::estimate(points, bins * shape.classes));
  if (counted && dealt) starts += bins * shape.classes;
  if (dealt) scratch += TaskList::estimate(bins, points, dealtPoints);
  return places + std::int64_t(sizeof(std::uint32_t)) * (points + sortPadding + starts) + scratch;
}

template class PointOrders<float>;
template class PointOrders<double>;

}  // namespace spokelab::gpu
