// The kernels of a sort by way of buckets (bucket_sort.h), for the records of a caller.
#pragma once

#include <cub/block/block_scan.cuh>

#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bucket_sort.h"
#include "cuda/nufft/points/deal.cuh"

namespace spokelab::gpu {

// An array of records: the first ones are in borrowed memory, the others in memory of the sorter.
template <class Record>
struct RecordRoom {
  Record *lent, *own;
  std::uint32_t lentCount;
  __device__ __forceinline__ Record& operator[](std::uint32_t i) const {
    return i < lentCount ? lent[i] : own[i - lentCount];
  }
};

// The only shared memory that a tile's kernels hold statically.
using TileScan = cub::BlockScan<std::uint32_t, bucketThreads>;

// A block moves the `points` points of one tile to their digits' places. load(i, key) returns the
// record of the tile's point i and sets its key. counter(key), in [0, digits x Classes), is the
// key's digit and class. A digit's places begin at start[digit], and the last left[digit] of them
// are still free. store(position, key, record) writes a record.
template <int Classes, class Record, class Load, class Counter, class Store>
__device__ __forceinline__ void moveTile(int points, int tilePoints, int digits, const std::uint32_t* start,
                                         std::uint32_t* left, Load&& load, Counter&& counter, Store&& store) {
  constexpr int batch = 2;  // points that a thread has under way
  __shared__ typename TileScan::TempStorage scanning;
  extern __shared__ __align__(32) unsigned char tileMemory[];
  const int counters = digits * Classes;
  auto* const records = reinterpret_cast<Record*>(tileMemory);
  auto* const keys = reinterpret_cast<std::uint32_t*>(records + tilePoints);
  std::uint32_t* const begin = keys + tilePoints;
  // First the points of each counter; then, for each digit, its first place in memory minus its
  // first place in the tile.
  std::uint32_t* const base = begin + counters + 1;
  auto* const rank = reinterpret_cast<std::uint16_t*>(base + counters + 1);
  std::uint16_t* const turn = rank + tilePoints;
  const int thread = threadIdx.x;
  // Calls f(u, i) for the thread's next points.
  const auto forBatch = [&](int first, auto&& f) {
#pragma unroll
    for (int u = 0; u < batch; ++u)
      if (const int i = first + u * bucketThreads; i < points) f(u, i);
  };
  for (int d = thread; d < counters; d += bucketThreads) base[d] = 0;
  __syncthreads();
  for (int first = thread; first < points; first += batch * bucketThreads) {
    Record record[batch];
    std::uint32_t key[batch];
    forBatch(first, [&](int u, int i) { record[u] = load(i, key[u]); });
    forBatch(first, [&](int u, int i) {
      records[i] = record[u];
      keys[i] = key[u];
      rank[i] = std::uint16_t(atomicAdd(base + counter(key[u]), 1u));
    });
  }
  __syncthreads();
  const int each = (counters + bucketThreads - 1) / bucketThreads, firstCounter = thread * each,
            endCounter = min(firstCounter + each, counters);
  std::uint32_t sum = 0, before = 0;
  for (int d = firstCounter; d < endCounter; ++d) sum += base[d];
  TileScan(scanning).ExclusiveSum(sum, before);
  for (int d = firstCounter; d < endCounter; ++d) {
    begin[d] = before;
    before += base[d];
  }
  if (thread == 0) begin[counters] = std::uint32_t(points);
  __syncthreads();
  for (int d = thread; d < digits; d += bucketThreads) {
    const std::uint32_t first = begin[d * Classes], own = begin[(d + 1) * Classes] - first;
    if (own > 0) base[d] = start[d] + atomicSub(left + d, own) - own - first;
  }
  for (int i = thread; i < points; i += bucketThreads) {
    std::uint32_t to;
    if constexpr (Classes > 1)
      to = dealtPosition<Classes>(begin, counter(keys[i]), rank[i]);
    else
      to = begin[counter(keys[i])] + rank[i];
    turn[to] = std::uint16_t(i);
  }
  __syncthreads();
  for (int i = thread; i < points; i += bucketThreads) {
    const int from = turn[i];
    const std::uint32_t key = keys[from];
    store(base[counter(key) / Classes] + std::uint32_t(i), key, records[from]);
  }
}

// A source for sorts that move only the points' numbers. keyOf(j): the key of point j, called once.
// keys (device): [count], used until the target's first call.
template <class KeyOf>
struct NumberedPoints {
  using Record = std::uint32_t;
  KeyOf keyOf;
  std::uint32_t* keys;
  __device__ __forceinline__ std::uint32_t key(std::int64_t j) const { return keys[j] = keyOf(j); }
  __device__ __forceinline__ Record operator()(std::int64_t j, std::uint32_t& key) const {
    key = keys[j];
    return std::uint32_t(j);
  }
};
// The target of NumberedPoints: receives the numbers in order.
struct NumbersInOrder {
  std::uint32_t* numbers;
  __device__ __forceinline__ void operator()(std::uint32_t at, std::uint32_t number) const {
    numbers[at] = number;
  }
};

// Counts the points of each bucket; blocks take points in turn.
template <class Source>
__global__ void __launch_bounds__(bucketThreads)
    countBuckets(const __grid_constant__ Source source, const __grid_constant__ Buckets b) {
  extern __shared__ std::uint32_t counts[];
  for (int i = threadIdx.x; i < b.buckets; i += bucketThreads) counts[i] = 0;
  __syncthreads();
#pragma unroll 4
  for (std::int64_t j = globalThread(); j < b.count; j += std::int64_t(gridDim.x) * bucketThreads)
    atomicAdd(counts + (source.key(j) >> (b.lowBits + b.classBits)), 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < b.buckets; i += bucketThreads)
    if (counts[i] > 0) atomicAdd(b.left + i, counts[i]);
}

template <class Source>
__global__ void __launch_bounds__(bucketThreads)
    moveToBuckets(const __grid_constant__ Source source, const __grid_constant__ Buckets b,
                  const RecordRoom<typename Source::Record> room) {
  const std::int64_t first = std::int64_t(blockIdx.x) * b.tilePoints;
  const int bits = b.lowBits + b.classBits;
  const std::uint32_t mask = (1u << bits) - 1;
  moveTile<1, typename Source::Record>(
      int(min(std::int64_t(b.tilePoints), b.count - first)), b.tilePoints, b.buckets, b.start, b.left,
      [&](int i, std::uint32_t& key) { return source(first + i, key); },
      [&](std::uint32_t key) { return key >> bits; },
      [&](std::uint32_t at, std::uint32_t key, const auto& record) {
        room[at] = record;
        b.low[at] = std::uint16_t(key & mask);
      });
}

template <int Classes, class Record, class Target>
__global__ void __launch_bounds__(bucketThreads)
    moveToKeys(const __grid_constant__ Target target, const __grid_constant__ Buckets b,
               const std::uint32_t* __restrict__ startOfKey, const __grid_constant__ TaskRange tiles,
               const RecordRoom<Record> room) {
  if (blockIdx.x >= *tiles.end) return;
  const Task tile = tiles.tasks[blockIdx.x];
  const std::uint32_t firstKey = tile.bin << b.lowBits;
  moveTile<Classes, Record>(
      int(tile.end - tile.begin), b.tilePoints, 1 << b.lowBits, startOfKey + firstKey, b.leftOfKey + firstKey,
      [&](int i, std::uint32_t& low) {
        low = b.low[tile.begin + std::uint32_t(i)];
        return room[tile.begin + std::uint32_t(i)];
      },
      [](std::uint32_t low) { return low; },
      [&](std::uint32_t at, std::uint32_t, const Record& record) { target(at, record); });
}

// Counts the points of each key, by tiles of buckets, into leftOfKey.
void countKeysOfBuckets(const Buckets& b, const TaskRange& tiles, int multiprocessors, cudaStream_t stream);

template <int Classes, class Source, class Target>
void BucketSorter::sort(const Source& source, const Target& target, std::int64_t count, std::int64_t keys,
                        std::uint32_t* start, Loan loan, const DeviceLimits& device, cudaStream_t stream) {
  using Record = typename Source::Record;
  const Buckets b = begin(count, keys, Classes, sizeof(Record), loan, device, stream);
  const std::int64_t lent = std::min(count, loan.bytes / std::int64_t(sizeof(Record)));
  records_.resize((count - lent) * std::int64_t(sizeof(Record)));
  const RecordRoom<Record> room{static_cast<Record*>(loan.data), reinterpret_cast<Record*>(records_.data()),
                                std::uint32_t(lent)};
  const auto run = [&](auto kernel, std::int64_t blocks, std::int64_t shared, const auto&... arguments) {
    allowShared(kernel, std::size_t(shared));
    kernel<<<unsigned(blocks), bucketThreads, std::size_t(shared), stream>>>(arguments...);
    checkLaunch("sorting points");
  };
  constexpr int blocksPerMultiprocessor = 2;
  const std::int64_t tiles = (count + b.tilePoints - 1) / b.tilePoints;
  run(countBuckets<Source>,
      std::min<std::int64_t>(tiles, std::int64_t(blocksPerMultiprocessor) * device.multiprocessors),
      b.buckets * std::int64_t(sizeof(std::uint32_t)), source, b);
  sums_.run(b.left, b.start, b.buckets + 1, "sorting points", stream);
  run(moveToBuckets<Source>, tiles, b.toBucketsBytes, source, b, room);
  tiles_.build(b.start, b.buckets, count, b.tilePoints, stream);
  const TaskRange ofBuckets = tiles_.range(0, b.buckets, count);
  countKeysOfBuckets(b, ofBuckets, device.multiprocessors, stream);
  sums_.run(b.leftOfKey, start, keys + 1, "sorting points", stream);
  run(moveToKeys<Classes, Record, Target>, ofBuckets.limit, b.toKeysBytes, target, b, start, ofBuckets, room);
}

}  // namespace spokelab::gpu
