#include "cuda/nufft/points/bucket_sort.cuh"

#include <algorithm>
#include <bit>

namespace spokelab::gpu {
namespace {

// Tiles that a block counts, at most, where there are so many that all multiprocessors have some: fewer additions in
// memory.
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
      atomicAdd(counts + b.low[i], 1u);
  }
  __syncthreads();
  add(bucket);
}

int lowBits(std::int64_t keys) {
  return int(std::bit_width(std::uint64_t(keys - 1))) / 2;
}

int bucketCount(std::int64_t keys) {
  const int bits = lowBits(keys);
  return int((keys + (std::int64_t(1) << bits) - 1) >> bits);
}

// At most what a block holds, and what was fastest (16 bytes: 8192 points, 32: 4096); so many that the last of all
// multiprocessors' turns is as full as the others.
int tilePoints(std::int64_t count, std::int64_t keys, std::int64_t recordBytes, const DeviceLimits& device) {
  constexpr std::int64_t reserved = 2 * 1024;  // by the device, and for the sums
  constexpr std::int64_t most = 8192, mostBytes = 128 * 1024;
  const std::int64_t digits = std::max(bucketCount(keys), 1 << lowBits(keys)),
                     room = device.sharedPerBlock - reserved - tileBytes(recordBytes, 0, digits),
                     held = std::min({room / tileBytes(recordBytes, 1, 0), most, mostBytes / recordBytes}) /
                            bucketThreads * bucketThreads;
  if (held <= 0) return 0;
  const std::int64_t turns = (count + held * device.multiprocessors - 1) / (held * device.multiprocessors),
                     even = (count + turns * device.multiprocessors - 1) / (turns * device.multiprocessors);
  return int((even + bucketThreads - 1) / bucketThreads * bucketThreads);
}

// All but the arrays.
Buckets bucketsOf(std::int64_t count, std::int64_t keys, std::int64_t recordBytes,
                  const DeviceLimits& device) {
  Buckets b{};
  b.count = count;
  b.keys = keys;
  b.lowBits = lowBits(keys);
  b.buckets = bucketCount(keys);
  b.tilePoints = tilePoints(count, keys, recordBytes, device);
  return b;
}

// Of all arrays but low.
std::int64_t wordsOf(const Buckets& b) {
  return 2 * std::int64_t(b.buckets + 1) + b.keys + 1;
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

bool BucketSorter::serves(std::int64_t keys, std::int64_t recordBytes, const DeviceLimits& device) {
  return keys > 1 && keys <= maxKeys && tilePoints(INT32_MAX, keys, recordBytes, device) > 0;
}

Buckets BucketSorter::begin(std::int64_t count, std::int64_t keys, std::int64_t recordBytes,
                            const DeviceLimits& device, cudaStream_t stream) {
  Buckets b = bucketsOf(count, keys, recordBytes, device);
  words_.resize(wordsOf(b));
  low_.resize(count);
  b.left = words_.data();
  b.leftOfKey = b.left + b.buckets + 1;
  b.start = b.leftOfKey + keys + 1;
  b.low = low_.data();
  check(cudaMemsetAsync(b.left, 0, std::size_t(b.start - b.left) * sizeof(std::uint32_t), stream),
        "sorting points");
  return b;
}

std::int64_t BucketSorter::memory() const {
  return words_.bytes() + low_.bytes() + records_.bytes() + tiles_.memory() + sums_.memory();
}

std::int64_t BucketSorter::lacking(std::int64_t count, std::int64_t keys, std::int64_t recordBytes,
                                   const Loan& room, const DeviceLimits& device) const {
  const auto beside = [](std::int64_t needed, std::int64_t held) {
    return std::max<std::int64_t>(0, needed - held);
  };
  return beside(count * recordBytes - room.bytes, records_.bytes()) +
         beside(count * std::int64_t(sizeof(std::uint16_t)), low_.bytes()) +
         beside(wordsOf(bucketsOf(count, keys, recordBytes, device)) * std::int64_t(sizeof(std::uint32_t)),
                words_.bytes());
}

}  // namespace spokelab::gpu
