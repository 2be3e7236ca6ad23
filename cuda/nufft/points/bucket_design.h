// The numbers of a sort by way of buckets (bucket_sort.h): how a key's bits are split, how many
// points a block moves together, and the shared memory that it asks for. Arithmetic alone, so that
// it can be checked for any device without one.
#pragma once

#include <cstdint>

#include "cuda/device/device.h"

namespace spokelab::gpu {

// One block of many threads fills a multiprocessor with one long tile: its runs are long, and few
// tiles write at a time, so that the runs' ends meet in the L2 cache (H100: 50 million records of
// 16 bytes to 1080 buckets take 1.04 ms by 8192, 1.20 by 4096 with two blocks, 1.54 by 2048).
inline constexpr int bucketThreads = 1024;

struct BucketDesign {
  int classBits = 0, lowBits = 0, buckets = 0;  // as in Buckets
  int tilePoints = 0;                           // 0: no tile fits into the device's shared memory
  // Bytes of dynamic shared memory of a block that moves a tile to buckets, and to keys and
  // classes.
  std::int64_t toBucketsBytes = 0, toKeysBytes = 0;
};

// count: points. keys: distinct keys, without classes. classes: parts into which the points of a
// key are dealt (bucket_sort.h), a power of two. recordBytes: bytes that move with a point.
// heldBytes: static shared memory of the kernels, as the device reports it, beside the dynamic
// bytes above.
BucketDesign designBuckets(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                           std::int64_t heldBytes, const DeviceLimits& device);

}  // namespace spokelab::gpu
