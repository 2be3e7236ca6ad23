#include "cuda/nufft/points/bucket_sort.cuh"

#include <algorithm>
#include <bit>

#include "cuda/nufft/points/counting_sort.cuh"

namespace spokelab::gpu {
namespace {

// One block.
__global__ void __launch_bounds__(countThreads) addUpBuckets(const __grid_constant__ Buckets b) {
  sumByBlock(
      b.buckets + 1, [&](int i) { return i < b.buckets ? b.next[i] : 0; },
      [&](int i, std::uint32_t sum) { b.start[i] = sum; });
  __syncthreads();
  const auto tilePoints = std::uint32_t(b.tilePoints);
  sumByBlock(
      b.buckets + 1, [&](int i) { return i < b.buckets ? (b.next[i] + tilePoints - 1) / tilePoints : 0; },
      [&](int i, std::uint32_t sum) { b.tileStart[i] = sum; });
  __syncthreads();
  for (int i = threadIdx.x; i < b.buckets; i += countThreads) b.next[i] = b.start[i];
}

// tileBucket[t] = the last bucket that begins at tile t or before: empty ones have no tile.
__global__ void findBucketsOfTiles(const __grid_constant__ Buckets b) {
  const auto t = std::uint32_t(globalThread());
  if (t >= b.tileStart[b.buckets]) return;
  int low = 0, high = b.buckets;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (b.tileStart[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  b.tileBucket[t] = std::uint32_t(low);
}

// Tiles that a block counts: fewer additions in memory.
constexpr int countedTiles = 8;

__global__ void __launch_bounds__(bucketThreads) countKeysOfTiles(const __grid_constant__ Buckets b) {
  extern __shared__ std::uint32_t counts[];
  const int digits = 1 << b.lowBits;
  const auto add = [&](std::uint32_t bucket) {
    for (int d = threadIdx.x; d < digits; d += bucketThreads) {
      if (counts[d] > 0) atomicAdd(b.nextOfKey + (bucket << b.lowBits) + d, counts[d]);
      counts[d] = 0;
    }
    __syncthreads();
  };
  const std::uint32_t first = blockIdx.x * countedTiles,
                      last = min(first + countedTiles, b.tileStart[b.buckets]);
  if (first >= last) return;
  for (int d = threadIdx.x; d < digits; d += bucketThreads) counts[d] = 0;
  __syncthreads();
  std::uint32_t bucket = b.tileBucket[first];
  for (std::uint32_t t = first; t < last; ++t) {
    const BucketTile tile = bucketTile(b, t);
    if (tile.bucket != bucket) {
      __syncthreads();
      add(bucket);
      bucket = tile.bucket;
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

// As many as a block holds, up to two tiles a multiprocessor and what was fastest (16 bytes: 8192 points, 32: 4096).
int tilePoints(std::int64_t count, std::int64_t keys, std::int64_t recordBytes, const DeviceLimits& device) {
  constexpr std::int64_t reserved = 2 * 1024;  // by the device, and for the sums
  constexpr std::int64_t most = 8192, mostBytes = 128 * 1024;
  const std::int64_t digits = std::max(bucketCount(keys), 1 << lowBits(keys)),
                     room = device.sharedPerBlock - reserved - tileBytes(recordBytes, 0, digits),
                     held = std::min({room / tileBytes(recordBytes, 1, 0), most, mostBytes / recordBytes}),
                     shared = std::max<std::int64_t>(bucketThreads, count / (2 * device.multiprocessors));
  return int(std::min(held, shared) / bucketThreads * bucketThreads);
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
  return 3 * std::int64_t(b.buckets + 1) + b.tileLimit() + b.keys + 1;
}

}  // namespace

void startBuckets(const Buckets& b, cudaStream_t stream) {
  addUpBuckets<<<1, countThreads, 0, stream>>>(b);
  findBucketsOfTiles<<<blocksFor(b.tileLimit()), threadsPerBlock, 0, stream>>>(b);
  checkLaunch("sorting points");
}

void countKeysOfBuckets(const Buckets& b, cudaStream_t stream) {
  check(cudaMemsetAsync(b.nextOfKey, 0, std::size_t(b.keys + 1) * sizeof(std::uint32_t), stream),
        "sorting points");
  const std::size_t shared = sizeof(std::uint32_t) << b.lowBits;
  countKeysOfTiles<<<blocksFor(b.tileLimit(), countedTiles), bucketThreads, shared, stream>>>(b);
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
  b.next = words_.data();
  b.start = b.next + b.buckets + 1;
  b.tileStart = b.start + b.buckets + 1;
  b.tileBucket = b.tileStart + b.buckets + 1;
  b.nextOfKey = b.tileBucket + b.tileLimit();
  b.low = low_.data();
  check(cudaMemsetAsync(b.next, 0, std::size_t(b.buckets) * sizeof(std::uint32_t), stream), "sorting points");
  return b;
}

std::int64_t BucketSorter::memory() const {
  return words_.bytes() + low_.bytes() + records_.bytes() + sums_.memory();
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
