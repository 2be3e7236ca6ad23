// Sort of many points in two moves, whatever the number of their keys: to buckets of neighbouring keys, then,
// bucket by bucket, to the keys themselves. A block moves a tile of points together: it deals them out by
// bucket (or key) in shared memory and writes runs of neighbours, so that the points' records go through
// memory twice and nothing is gathered at random places. Points of one key lie in no fixed order (KeySorter's is
// stable), or dealt out among classes (deal.cuh) as far as a tile goes. Kernels, and what a caller gives them:
// bucket_sort.cuh.
#pragma once

#include <cstdint>

#include "cuda/device/buffer.h"
#include "cuda/device/device.h"
#include "cuda/nufft/points/bucket_design.h"
#include "cuda/nufft/points/exclusive_sum.h"
#include "cuda/nufft/points/key_sorter.h"
#include "cuda/nufft/points/tasks.h"

namespace spokelab::gpu {

// What kernels see, device memory. Of a key's bits the lowest classBits are its class; those above number the keys
// that are told apart, and their bits above lowBits the buckets.
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
  // Fewer points are sorted faster by counting (H100: half a million in 3-D by 2 to 14 %, a million slower by 3 to 23 %),
  // unless they share so few keys that additions to their counts wait for each other.
  static constexpr std::int64_t minPoints = std::int64_t(3) << 18;
  static constexpr bool pays(std::int64_t points, std::int64_t keys) {
    constexpr std::int64_t minOfFewKeys = std::int64_t(1) << 17, minPerKey = 1024;
    return points >= minPoints || (points >= minOfFewKeys && points >= minPerKey * keys);
  }

  // True if keys fit, and a device has room for tiles of such records.
  static bool serves(std::int64_t count, std::int64_t keys, int classes, std::int64_t recordBytes,
                     const DeviceLimits& device);

  // source.key(j): the key of point j x Classes + its class; source(j, key) -> Source::Record, and the same key, called
  // later. target(position, record): where the point goes, called when the source is not any more. start (device): [keys
  // + 1], becomes the first position of each key. room: scratch for as many records as it holds, and for the low bits
  // where it holds them, too.
  template <int Classes = 1, class Source, class Target>
  void sort(const Source& source, const Target& target, std::int64_t count, std::int64_t keys,
            std::uint32_t* start, Loan room, const DeviceLimits& device, cudaStream_t stream);
  std::int64_t memory() const;
  // Bytes that a sort would take beside the room and what is held; 0 after one of as many points and keys. The
  // list of tiles, a thousandth of them, is not counted.
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
