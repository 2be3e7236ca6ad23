#include "cuda/nufft/points/bin_sort.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bin_size.h"
#include "cuda/nufft/points/counting_sort.cuh"
#include "cuda/nufft/points/locate.cuh"
#include "engine/core/error.h"

namespace spokelab::gpu {
namespace {

struct BinShape {
  int dims;
  std::array<int, 3> grid, bin, bins, padded;
  double halfWidth;
  int bits;     // of a place for the fraction of a cell
  int classes;  // of banks, 1: points are not dealt
};

// Bits that a word leaves for the fraction of a cell; more than a double's mantissa would be lost.
template <class Real>
int fractionBits(const MethodSetup<Real>& setup, int wordBits) {
  constexpr int mantissa = 52;
  const auto largest = std::uint32_t(*std::max_element(setup.grid.begin(), setup.grid.end()));
  return std::min(wordBits - int(std::bit_width(largest)), mantissa);
}

// 32 bits suffice where their step stays below a tenth of the predicted error (rounded places have
// an rms of 0.3 steps, and a shift by s cells makes a relative error of at most 1.8 s).
template <class Real>
bool isNarrow(const MethodSetup<Real>& setup) {
  constexpr double shareOfError = 0.1;
  return sizeof(Real) == 4 && std::ldexp(1.0, -fractionBits(setup, 32)) <= shareOfError * setup.predicted;
}

template <class Real>
std::int64_t wordBytes(const MethodSetup<Real>& setup) {
  return isNarrow(setup) ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
}

template <class Word>
__device__ __forceinline__ Word placeWord(const BinShape& shape, const double* k, int d, int* notFinite) {
  return fixedPlace<Word>(usable(k[d], notFinite), shape.grid[d], shape.halfWidth, shape.bits);
}

// The bin of point j, with its set and its class of banks.
template <class Word>
__device__ __forceinline__ std::uint32_t binKey(const BinShape& shape, const double* coordinates,
                                                std::int64_t j, const std::uint32_t* setOfPoint,
                                                int* notFinite) {
  std::uint32_t key = setOfPoint ? setOfPoint[j] : 0, inside = 0;
  for (int d = shape.dims - 1; d >= 0; --d) {
    const int cell = int(placeWord<Word>(shape, coordinates + j * shape.dims, d, notFinite) >> shape.bits),
              bin = cell / shape.bin[d];
    key = key * std::uint32_t(shape.bins[d]) + std::uint32_t(bin);
    inside = inside * std::uint32_t(shape.padded[d]) + std::uint32_t(cell - bin * shape.bin[d]);
  }
  const auto classes = std::uint32_t(shape.classes);
  return key * classes + inside % classes;
}

template <class Word>
__global__ void makeKeys(const __grid_constant__ BinShape shape, const double* coordinates,
                         std::int64_t count, const std::uint32_t* setOfPoint, KeySorter::Room room,
                         int* notFinite) {
  const std::int64_t j = globalThread();
  if (j >= count) return;
  room.keys[j] = binKey<Word>(shape, coordinates, j, setOfPoint, notFinite);
  room.index[j] = std::uint32_t(j);
}

template <class Word>
__global__ void __launch_bounds__(countThreads)
    countKeys(const __grid_constant__ BinShape shape, const double* coordinates, std::int64_t count,
              const std::uint32_t* setOfPoint, const KeyCounts counted, int* notFinite) {
  const std::int64_t j = globalThread();
  const bool exists = j < count;
  const std::uint32_t key = exists ? binKey<Word>(shape, coordinates, j, setOfPoint, notFinite) : 0;
  countPoint(counted, j, key, exists);
  addUpInLastBlock(counted);
}

// Where a bin's points of the classes from classStart[bin] on are dealt out: those of equal rank within
// their class follow each other in the order of their classes, rank after rank.
template <int Classes>
__device__ __forceinline__ std::uint32_t dealtPosition(const std::uint32_t* classStart, std::uint32_t key,
                                                       std::uint32_t rank) {
  const std::uint32_t own = key % Classes, bin = key - own;
  std::uint32_t start[Classes + 1];
#pragma unroll
  for (int c = 0; c < Classes; c += 4)
    *reinterpret_cast<uint4*>(start + c) = *reinterpret_cast<const uint4*>(classStart + bin + c);
  start[Classes] = classStart[bin + Classes];
  std::uint32_t to = start[0];
#pragma unroll
  for (std::uint32_t c = 0; c < Classes; ++c) {
    const std::uint32_t points = start[c + 1] - start[c];
    to += min(points, rank) + (c < own && points > rank ? 1 : 0);
  }
  return to;
}

// Points of a bin that a warp deals out together, at most.
constexpr int dealtPoints = 1024;
constexpr int lanes = 32;

// The points of a task, in the order of the sort by bin, dealt out among themselves; a warp a task. keys,
// numbers: of the sort.
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

// Counted points go to their positions: their numbers, and their places where `places` is given. A bin
// begins where its first class does.
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

std::int64_t binCount(const BinShape& shape) {
  return std::int64_t(shape.bins[0]) * shape.bins[1] * shape.bins[2];
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

template <class Real>
BinShape binShape(const MethodSetup<Real>& setup, const std::array<int, 3>& bin, std::int64_t points) {
  BinShape shape{};
  shape.dims = setup.dims;
  shape.grid = setup.grid;
  shape.halfWidth = 0.5 * setup.width;
  shape.bits = fractionBits(setup, 8 * int(wordBytes(setup)));
  shape.padded = {1, 1, 1};
  for (std::size_t d = 0; d < 3; ++d) {
    shape.bin[d] = std::max(1, bin[d]);
    shape.bins[d] = (shape.grid[d] + shape.bin[d] - 1) / shape.bin[d];
  }
  if (bin[0] > 0) shape.padded = paddedBin(setup, shape.bin);
  // Dealing pays where every class of a bin has some points.
  constexpr int minPointsPerClass = 2, classes = bankClasses<Real>;
  shape.classes = points / (minPointsPerClass * classes) >= setup.sets * binCount(shape) ? classes : 1;
  return shape;
}

// Whether an order of `points` points is made by counting. Those that are not are stable.
template <class Real>
bool isCounted(const MethodSetup<Real>& setup, const std::array<int, 3>& bin, std::int64_t points,
               bool stable = false) {
  const BinShape shape = binShape(setup, bin, points);
  return bin[0] > 0 && !stable && !setup.reproducible &&
         CountingSorter::serves(points, setup.sets * binCount(shape) * shape.classes);
}

}  // namespace

// Few points: counted, and written where they belong.
template <class Real>
template <class Word>
void PointOrders<Real>::makeByCounting(Order& order, DeviceBuffer<Word>& places,
                                       const std::array<int, 3>& bin, cudaStream_t stream) {
  // Beyond, scattered writes of places take longer than gathering coordinates (H100: equal at 2^18).
  constexpr std::int64_t maxScattered = std::int64_t(1) << 18;
  const BinShape shape = binShape(setup_, bin, count_);
  const bool dealt = shape.classes > 1;
  const std::int64_t bins = sets_.count * binCount(shape), keys = bins * shape.classes;
  places.resize(count_ * setup_.dims);
  order.permutation.resize(count_ + sortPadding);
  order.binStart.resize(bins + 1);
  if (dealt) order.classStart.resize(keys + 1);
  const KeyCounts counted =
      counter_.begin(count_, keys, dealt ? order.classStart.data() : order.binStart.data(), room_, stream);
  countKeys<Word><<<blocksFor(count_, countThreads), countThreads, 0, stream>>>(
      shape, coordinates_, count_, sets_.ofPoint, counted, notFinite_);
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
  order.stable = !isCounted(setup_, bin, count_, stable);
  if (!order.stable) return makeByCounting(order, places, bin, stream);
  if (isCellOrder(setup_, bin))
    return cells_.sort<Word>({shape.grid[0], shape.halfWidth, shape.bits}, coordinates_, count_, notFinite_,
                             room_, {places, order.permutation, order.binStart}, stream);
  const bool sorted = bin[0] > 0, dealt = shape.classes > 1;
  const std::int64_t bins = sets_.count * binCount(shape);
  requireKeys(bins * shape.classes);
  places.resize(count_ * setup_.dims);
  if (sorted) {
    order.binStart.resize(bins + 1);
    const auto classes = std::uint32_t(shape.classes);
    const KeySorter::Room room = sorter_.room(
        count_, bins * shape.classes, order.permutation, {{places.data(), places.bytes()}, room_},
        dealt ? KeySorter::Result::beside : KeySorter::Result::permutation, std::countr_zero(classes));
    if (count_ > 0) {
      makeKeys<Word><<<blocksFor(count_), threadsPerBlock, 0, stream>>>(shape, coordinates_, count_,
                                                                        sets_.ofPoint, room, notFinite_);
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
    if (narrow)
      make(order, order.narrow, bin, stable, stream);
    else
      make(order, order.wide, bin, stable, stream);
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
  const std::int64_t bins = setup.sets * binCount(shape);
  // By counting, or by a stable sort where that is asked for.
  std::int64_t starts = bins + 2, scratch = isCellOrder(setup, bin)
                                                ? CellSorter::estimate(points, wordBytes(setup))
                                                : KeySorter::estimate(points, setup.dims * wordBytes(setup));
  if (counted) scratch = std::max(scratch, CountingSorter::estimate(points, bins * shape.classes));
  if (counted && dealt) starts += bins * shape.classes;
  if (dealt) scratch += TaskList::estimate(bins, points, dealtPoints);
  return places + std::int64_t(sizeof(std::uint32_t)) * (points + sortPadding + starts) + scratch;
}

template class PointOrders<float>;
template class PointOrders<double>;

}  // namespace spokelab::gpu
