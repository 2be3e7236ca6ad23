#include "cuda/nufft/points/bucket_sort.cuh"

#include <algorithm>

namespace spokelab::gpu {
namespace {

// A block counts several tiles to save additions in memory, but no more than leave work for all
// multiprocessors.
constexpr int mostCountedTiles = 8;

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

// Shared memory that a tile's kernels hold beside what they ask for, as the device tells it. All
// instances hold the same; without a device, what the source declares.
std::int64_t heldByTiles() {
  static const std::int64_t bytes = std::max(std::int64_t(sizeof(TileScan::TempStorage)),
                                             sharedHeldBy(moveToKeys<1, std::uint32_t, NumbersInOrder>));
  return bytes;
}

BucketDesign designOf(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                      const DeviceLimits& device) {
  return designBuckets(count, keys, classes, recordBytes, heldByTiles(), device);
}

// The offset of the low bits, behind all records, if the room holds both; else 0.
std::int64_t lowAt(std::int64_t count, std::int64_t recordBytes, const Loan& room) {
  constexpr std::int64_t alignment = 256;
  const std::int64_t at = (count * recordBytes + alignment - 1) / alignment * alignment;
  return at + count * std::int64_t(sizeof(std::uint16_t)) <= room.bytes ? at : 0;
}

std::int64_t wordsOf(const BucketDesign& b, std::int64_t keys) {
  return 2 * std::int64_t(b.buckets + 1) + keys + 1;
}

}  // namespace

void countKeysOfBuckets(const Buckets& b, const TaskRange& tiles, int multiprocessors, cudaStream_t stream) {
  const std::size_t shared = sizeof(std::uint32_t) << b.lowBits;
  const std::int64_t each =
      std::clamp<std::int64_t>(tiles.limit / (2 * multiprocessors), 1, mostCountedTiles);
  countKeysOfTiles<<<blocksFor(tiles.limit, int(each)), bucketThreads, shared, stream>>>(b, tiles,
                                                                                         std::uint32_t(each));
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
  const std::int64_t lent = lowAt(count, recordBytes, room);
  if (lent == 0) low_.resize(count);
  b.left = words_.data();
  b.leftOfKey = b.left + b.buckets + 1;
  b.start = b.leftOfKey + keys + 1;
  b.low = lent > 0 ? reinterpret_cast<std::uint16_t*>(static_cast<char*>(room.data) + lent) : low_.data();
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
  const auto beside = [](std::int64_t needed, std::int64_t held) {
    return std::max<std::int64_t>(0, needed - held);
  };
  const BucketDesign b = designOf(count, keys, classes, recordBytes, device);
  const std::int64_t low =
      lowAt(count, recordBytes, room) > 0 ? 0 : count * std::int64_t(sizeof(std::uint16_t));
  return beside(count * recordBytes - room.bytes, records_.bytes()) + beside(low, low_.bytes()) +
         beside(wordsOf(b, keys) * std::int64_t(sizeof(std::uint32_t)), words_.bytes());
}

}  // namespace spokelab::gpu
