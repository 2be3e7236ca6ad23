// Sort by counting, for few points. Each key counts its points, the sums of the counts give the
// first position of a key, and a point moves to this position plus its number among the key's
// points. If one block can add up the counts, the sort takes two launches. A radix sort takes ten,
// which alone cost 40 us (H100). More points are sorted by buckets (bucket_sort.h) where possible.
// The order of points with equal keys is not fixed (KeySorter is stable). Kernels use
// counting_sort.cuh.
#pragma once

#include <cstdint>

#include "cuda/device/buffer.h"
#include "cuda/nufft/points/exclusive_sum.h"
#include "cuda/nufft/points/key_sorter.h"

namespace spokelab::gpu {

// Threads of a block that counts.
inline constexpr int countThreads = 1024;

// The kernels' view of the counts, in device memory.
struct KeyCounts {
  std::uint32_t* counts;          // [keyCount + 1], all zero before the points are counted
  std::uint32_t *keys, *numbers;  // [points]: each point's key, and its number among the key's points
  std::uint32_t* start;           // [keyCount + 1]: the first position of each key
  std::uint32_t* blocksDone;      // null: separate launches add up the counts
  std::int64_t keyCount;
};

class CountingSorter {
 public:
  // Beyond these numbers scattered writes take longer than the passes of a radix sort.
  static constexpr std::int64_t maxPoints = std::int64_t(1) << 22, maxKeys = std::int64_t(1) << 22;

  static bool serves(std::int64_t count, std::int64_t keys) { return count <= maxPoints && keys <= maxKeys; }
  // Room for `count` points, in the loan where that is large enough; start: [keys + 1].
  KeyCounts begin(std::int64_t count, std::int64_t keys, std::uint32_t* start, Loan loan,
                  cudaStream_t stream);
  // Sums the counts; call it after the points are counted.
  void addUp(const KeyCounts& counted, cudaStream_t stream);
  std::int64_t memory() const;
  // Bytes without loans.
  static std::int64_t estimate(std::int64_t count, std::int64_t keys);

 private:
  DeviceBuffer<std::uint32_t> counts_, blocksDone_, own_;
  ExclusiveSum sums_;
  // The number of counts that are zero: the block that adds counts up clears them.
  std::int64_t clean_ = 0;
};

}  // namespace spokelab::gpu
