// Sorts many points in two moves for any number of keys: into buckets of neighbouring keys, then
// within each bucket by key. A block deals out a tile of points by bucket (or key) in shared memory
// and writes runs of neighbours, so each record passes memory twice and nothing is gathered at
// random. Points of one key are in no fixed order (KeySorter's order is stable), or dealt out among
// classes (deal.cuh) within a tile. Kernels and their interface: bucket_sort.cuh.
#pragma once

#include <cstdint>

#include "cuda/device/buffer.h"
#include "cuda/device/device.h"
#include "cuda/nufft/points/bucket_design.h"
#include "cuda/nufft/points/exclusive_sum.h"
#include "cuda/nufft/points/key_sorter.h"
#include "cuda/nufft/points/tasks.h"

namespace spokelab::gpu {

// The kernels' view, in device memory. The lowest classBits of a key are its class. The bits above
// number the distinct keys, and the part above lowBits the buckets.
struct Buckets : BucketDesign {
  std::int64_t count;        // points
  std::int64_t keys;         // without classes
  std::uint32_t* left;       // [buckets + 1]: points of each that were not moved yet
  std::uint32_t* leftOfKey;  // [keys + 1], the same for keys
  std::uint32_t* start;      // [buckets + 1]: the first point of each
  std::uint16_t* low;        // [count]: the low bits, and the class, of the keys of points in buckets
};

class BucketSorter {
 public:
  static constexpr std::int64_t maxKeys = std::int64_t(1) << 24;
  // Counting sorts fewer points faster (H100: half a million in 3-D by 2 to 14 %, a million slower
  // by 3 to 23 %), unless they share so few keys that additions to their counts collide.
  static constexpr std::int64_t minPoints = std::int64_t(3) << 18;
  static constexpr bool pays(std::int64_t points, std::int64_t keys) {
    constexpr std::int64_t minOfFewKeys = std::int64_t(1) << 17, minPerKey = 1024;
    return points >= minPoints || (points >= minOfFewKeys && points >= minPerKey * keys);
  }

  // True if keys fit, and a device has room for tiles of such records.
  static bool serves(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                     const DeviceLimits& device);

  // source.key(j): (the key of point j) x Classes + its class. source(j, key), called later,
  // returns the point's Source::Record and sets the same key. target(position, record) receives the
  // sorted points, after the last call of source. start (device): [keys + 1], gets the first
  // position of each key. room: scratch for records, and for the low bits if it holds them.
  template <int Classes = 1, class Source, class Target>
  void sort(const Source& source, const Target& target, std::int64_t count, std::int64_t keys,
            std::uint32_t* start, Loan room, const DeviceLimits& device, cudaStream_t stream);
  std::int64_t memory() const;
  // Extra bytes of a sort beyond the room and the memory held; 0 after a sort of this size. The
  // list of tiles, a thousandth of the total, is not counted.
  std::int64_t lacking(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                       const Loan& room, const DeviceLimits& device) const;

 private:
  Buckets begin(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                const Loan& room, const DeviceLimits& device, cudaStream_t stream);
  DeviceBuffer<std::uint32_t> words_;  // all arrays of Buckets but low
  DeviceBuffer<std::uint16_t> low_;
  DeviceBuffer<char> records_;  // that the room does not hold
  TaskList tiles_;              // of the buckets
  ExclusiveSum sums_;
};

}  // namespace spokelab::gpu
