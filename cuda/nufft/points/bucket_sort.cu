// A counting sort in two levels (bucket_sort.h). A bucket is all keys with the same high bits.
// Level 1 counts the points of each bucket and moves them there, with the low bits of their keys.
// Level 2 counts the points of each key within its bucket (countKeysOfTiles) and moves them to
// their places. A digit is the part of a key that a level sorts by, in level 2 one of 2^lowBits. A
// move hands out places by atomic subtraction: Buckets::left and leftOfKey hold the number of
// points at first, and during a move the number of points without a place. The lowest classBits of
// a key are its class (deal.cuh), which is not counted here.
#include "cuda/nufft/points/bucket_sort.cuh"

#include <algorithm>

namespace spokelab::gpu {
namespace {

// A block counts several tiles to save additions in memory, but no more than leave work for all
// multiprocessors.
constexpr int maxCountedTiles = 8;

// Counts the points of each key into leftOfKey, which is 0 before. Tiles are ordered by bucket
// (TaskList), so a block adds its counts to memory only where the bucket changes.

__global__ void __launch_bounds__(bucketThreads)
    countKeysOfTiles(const __grid_constant__ Buckets b, const __grid_constant__ TaskRange tiles,
                     std::uint32_t countedTiles) {
  extern __shared__ std::uint32_t counts[];
  const int digits = 1 << b.lowBits;
  const auto add = [&](std::uint32_t bucket) {
    for (int d = threadIdx.x; d < digits; d += bucketThreads) {
      if (counts[d] > 0) atomicAdd(b.leftOfKey + (bucket << b.lowBits) + d, counts[d]);
      counts[d] = 0;
    }
    __syncthreads();
  };
  const std::uint32_t first = blockIdx.x * countedTiles, last = min(first + countedTiles, *tiles.end);
  if (first >= last) return;
  for (int d = threadIdx.x; d < digits; d += bucketThreads) counts[d] = 0;
  __syncthreads();
  std::uint32_t bucket = tiles.tasks[first].bin;
  for (std::uint32_t t = first; t < last; ++t) {
    const Task tile = tiles.tasks[t];
    if (tile.bin != bucket) {
      __syncthreads();
      add(bucket);
      bucket = tile.bin;
    }
    for (std::uint32_t i = tile.begin + threadIdx.x; i < tile.end; i += bucketThreads)
      atomicAdd(counts + (b.low[i] >> b.classBits), 1u);
  }
  __syncthreads();
  add(bucket);
}

// Bytes of static shared memory of the kernels that move a tile, the same in all instances: as the
// device tells it, or without a device as the source declares it.
std::int64_t staticSharedBytes() {
  static const std::int64_t bytes = std::max(std::int64_t(sizeof(TileScan::TempStorage)),
                                             sharedHeldBy(moveToKeys<1, std::uint32_t, NumbersInOrder>));
  return bytes;
}

BucketDesign designOf(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                      const DeviceLimits& device) {
  return designBuckets(count, keys, classes, recordBytes, staticSharedBytes(), device);
}

// Byte offset in the lent memory at which the low bits of the keys begin, after all records. 0: the
// loan is too small for both.
std::int64_t lowBitsOffset(std::int64_t count, std::int64_t recordBytes, const Loan& room) {
  constexpr std::int64_t alignment = 256;
  const std::int64_t at = (count * recordBytes + alignment - 1) / alignment * alignment;
  return at + count * std::int64_t(sizeof(std::uint16_t)) <= room.bytes ? at : 0;
}

// 32-bit numbers of Buckets::left, leftOfKey and start together.
std::int64_t wordsOf(const BucketDesign& b, std::int64_t keys) {
  return 2 * std::int64_t(b.buckets + 1) + keys + 1;
}

}  // namespace

void countKeysOfBuckets(const Buckets& b, const TaskRange& tiles, int multiprocessors, cudaStream_t stream) {
  const std::size_t shared = sizeof(std::uint32_t) << b.lowBits;
  const std::int64_t tilesPerBlock =
      std::clamp<std::int64_t>(tiles.limit / (2 * multiprocessors), 1, maxCountedTiles);
  countKeysOfTiles<<<blocksFor(tiles.limit, int(tilesPerBlock)), bucketThreads, shared, stream>>>(
      b, tiles, std::uint32_t(tilesPerBlock));
  checkLaunch("sorting points");
}

bool BucketSorter::serves(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                          const DeviceLimits& device) {
  return keys > 0 && keys <= maxKeys && designOf(count, keys, classes, recordBytes, device).tilePoints > 0;
}

Buckets BucketSorter::begin(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                            const Loan& room, const DeviceLimits& device, cudaStream_t stream) {
  Buckets b{};
  static_cast<BucketDesign&>(b) = designOf(count, keys, classes, recordBytes, device);
  b.count = count;
  b.keys = keys;
  words_.resize(wordsOf(b, keys));
  const std::int64_t offset = lowBitsOffset(count, recordBytes, room);
  if (offset == 0) low_.resize(count);
  b.left = words_.data();
  b.leftOfKey = b.left + b.buckets + 1;
  b.start = b.leftOfKey + keys + 1;
  b.low = offset > 0 ? reinterpret_cast<std::uint16_t*>(static_cast<char*>(room.data) + offset) : low_.data();
  check(cudaMemsetAsync(b.left, 0, std::size_t(b.start - b.left) * sizeof(std::uint32_t), stream),
        "sorting points");
  return b;
}

std::int64_t BucketSorter::memory() const {
  return words_.bytes() + low_.bytes() + records_.bytes() + tiles_.memory() + sums_.memory();
}

std::int64_t BucketSorter::lacking(std::int64_t count, std::int64_t keys, int classes,
                                   std::int64_t recordBytes, const Loan& room,
                                   const DeviceLimits& device) const {
  const auto missing = [](std::int64_t needed, std::int64_t held) {
    return std::max<std::int64_t>(0, needed - held);
  };
  const BucketDesign b = designOf(count, keys, classes, recordBytes, device);
  const std::int64_t low =
      lowBitsOffset(count, recordBytes, room) > 0 ? 0 : count * std::int64_t(sizeof(std::uint16_t));
  return missing(count * recordBytes - room.bytes, records_.bytes()) + missing(low, low_.bytes()) +
         missing(wordsOf(b, keys) * std::int64_t(sizeof(std::uint32_t)), words_.bytes());
}

}  // namespace spokelab::gpu
