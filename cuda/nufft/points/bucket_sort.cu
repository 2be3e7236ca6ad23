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
      atomicAdd(counts + (b.low[i] >> b.classBits), 1u);
  }
  __syncthreads();
  add(bucket);
}

// Counters of a tile that is moved to buckets, or to keys and classes.
std::int64_t countersOf(const Buckets& b) {
  return std::max<std::int64_t>(b.buckets, std::int64_t(1) << (b.lowBits + b.classBits));
}

// Points of a tile: at most what a block holds, and what was fastest (16 bytes: 8192 points, 32: 4096). 0: none fits.
std::int64_t mostTilePoints(const Buckets& b, std::int64_t recordBytes, const DeviceLimits& device) {
  constexpr std::int64_t reserved = 2 * 1024;  // by the device, and for the sums
  constexpr std::int64_t most = 8192, mostBytes = 128 * 1024;
  const std::int64_t room = device.sharedPerBlock - reserved - counterBytes(countersOf(b)),
                     held = std::min({room / tilePointBytes(recordBytes), most, mostBytes / recordBytes});
  return std::max<std::int64_t>(0, held / bucketThreads * bucketThreads);
}

// All but the arrays.
Buckets bucketsOf(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                  const DeviceLimits& device) {
  Buckets b{};
  b.count = count;
  b.keys = keys;
  b.classBits = int(std::bit_width(unsigned(classes))) - 1;
  // As many buckets as keys and classes of a bucket; fewer where few points would leave tiles half empty.
  constexpr int mostBits = 12;
  b.lowBits = std::max(0, (int(std::bit_width(std::uint64_t(keys - 1))) - b.classBits) / 2);
  std::int64_t held = 0;
  for (;; ++b.lowBits) {
    b.buckets = int((keys + (std::int64_t(1) << b.lowBits) - 1) >> b.lowBits);
    held = mostTilePoints(b, recordBytes, device);
    if (b.lowBits + b.classBits >= mostBits || b.buckets <= device.multiprocessors ||
        count / b.buckets >= held / 2)
      break;
  }
  if (held == 0) return b;
  // So many that the last of all multiprocessors' turns is as full as the others.
  const std::int64_t turns = (count + held * device.multiprocessors - 1) / (held * device.multiprocessors),
                     even = (count + turns * device.multiprocessors - 1) / (turns * device.multiprocessors);
  b.tilePoints = int((even + bucketThreads - 1) / bucketThreads * bucketThreads);
  return b;
}

// Where the low bits lie in a room that holds all records and them; else 0.
std::int64_t lowAt(std::int64_t count, std::int64_t recordBytes, const Loan& room) {
  constexpr std::int64_t alignment = 256;
  const std::int64_t at = (count * recordBytes + alignment - 1) / alignment * alignment;
  return at + count * std::int64_t(sizeof(std::uint16_t)) <= room.bytes ? at : 0;
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

bool BucketSorter::serves(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                          const DeviceLimits& device) {
  return keys > 0 && keys <= maxKeys && bucketsOf(count, keys, classes, recordBytes, device).tilePoints > 0;
}

Buckets BucketSorter::begin(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                            const Loan& room, const DeviceLimits& device, cudaStream_t stream) {
  Buckets b = bucketsOf(count, keys, classes, recordBytes, device);
  words_.resize(wordsOf(b));
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
  const Buckets b = bucketsOf(count, keys, classes, recordBytes, device);
  const std::int64_t low =
      lowAt(count, recordBytes, room) > 0 ? 0 : count * std::int64_t(sizeof(std::uint16_t));
  return beside(count * recordBytes - room.bytes, records_.bytes()) + beside(low, low_.bytes()) +
         beside(wordsOf(b) * std::int64_t(sizeof(std::uint32_t)), words_.bytes());
}

}  // namespace spokelab::gpu
