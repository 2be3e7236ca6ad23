#include "cuda/nufft/points/bucket_design.h"

#include <algorithm>
#include <bit>

namespace spokelab::gpu {
namespace {

// Shared memory of a tile: for each point its record, key, rank within its bucket (or key and
// class), and output index.
constexpr std::int64_t tilePointBytes(std::int64_t recordBytes) {
  return recordBytes + std::int64_t(sizeof(std::uint32_t) + 2 * sizeof(std::uint16_t));
}
// Bytes of two places for each bucket (or key and class): the begin of its points in the tile, and
// in memory.
constexpr std::int64_t counterBytes(std::int64_t counters) {
  return 2 * (counters + 1) * std::int64_t(sizeof(std::uint32_t));
}

std::int64_t keyCounters(const BucketDesign& b) {
  return std::int64_t(1) << (b.lowBits + b.classBits);
}

// Points of a tile: no more than fit into a block's shared memory, and no more than were fastest
// when measured (records of 16 bytes: 8192 points, of 32 bytes: 4096). 0: no tile fits.
std::int64_t mostTilePoints(const BucketDesign& b, std::int64_t recordBytes, std::int64_t heldBytes,
                            const DeviceLimits& device) {
  constexpr std::int64_t most = 8192, mostBytes = 128 * 1024;
  // Dynamic shared memory begins behind the static one at a multiple of this.
  constexpr std::int64_t alignment = 128;
  const std::int64_t reserved = (heldBytes + alignment - 1) / alignment * alignment,
                     counters = std::max<std::int64_t>(b.buckets, keyCounters(b)),
                     room = device.sharedPerBlock - reserved - counterBytes(counters),
                     held = std::min({room / tilePointBytes(recordBytes), most, mostBytes / recordBytes});
  return std::max<std::int64_t>(0, held / bucketThreads * bucketThreads);
}

}  // namespace

BucketDesign designBuckets(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                           std::int64_t heldBytes, const DeviceLimits& device) {
  BucketDesign b;
  b.classBits = int(std::bit_width(unsigned(classes))) - 1;
  // A key's upper bits number its bucket, and its lower bits its place within the bucket. Each
  // begins with half of the bits. The loop then makes fewer buckets while a bucket's points would
  // fill less than half a tile. It stops once there is at most one bucket for each multiprocessor.
  constexpr int mostBits = 12;
  b.lowBits = std::max(0, (int(std::bit_width(std::uint64_t(keys - 1))) - b.classBits) / 2);
  std::int64_t held = 0;
  for (;; ++b.lowBits) {
    b.buckets = int((keys + (std::int64_t(1) << b.lowBits) - 1) >> b.lowBits);
    held = mostTilePoints(b, recordBytes, heldBytes, device);
    if (b.lowBits + b.classBits >= mostBits || b.buckets <= device.multiprocessors ||
        count / b.buckets >= held / 2)
      break;
  }
  if (held == 0) return b;
  // Shrinks the tiles so that all multiprocessors share the points evenly: in the last turn, too,
  // each one then has a tile that is nearly full.
  const std::int64_t turns = (count + held * device.multiprocessors - 1) / (held * device.multiprocessors),
                     even = (count + turns * device.multiprocessors - 1) / (turns * device.multiprocessors);
  b.tilePoints = int((even + bucketThreads - 1) / bucketThreads * bucketThreads);
  const std::int64_t points = b.tilePoints * tilePointBytes(recordBytes);
  b.toBucketsBytes = points + counterBytes(b.buckets);
  b.toKeysBytes = points + counterBytes(keyCounters(b));
  return b;
}

}  // namespace spokelab::gpu
