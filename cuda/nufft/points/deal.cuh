// Deals out the points of a bin among the classes of their keys (bin_sort.h: banks).
#pragma once

#include <cstdint>

namespace spokelab::gpu {

// Returns the position of a point with this key (bin x Classes + class) that has `rank` points of
// its key before it. start[key]: first position of a key in sorted order, 16-byte aligned. Points
// of equal rank follow each other in the order of their classes, rank after rank.
template <int Classes>
__device__ __forceinline__ std::uint32_t dealtPosition(const std::uint32_t* start, std::uint32_t key,
                                                       std::uint32_t rank) {
  const std::uint32_t own = key % Classes, bin = key - own;
  std::uint32_t from[Classes + 1];
#pragma unroll
  for (int c = 0; c < Classes; c += 4)
    *reinterpret_cast<uint4*>(from + c) = *reinterpret_cast<const uint4*>(start + bin + c);
  from[Classes] = start[bin + Classes];
  std::uint32_t to = from[0];
#pragma unroll
  for (std::uint32_t c = 0; c < Classes; ++c) {
    const std::uint32_t points = from[c + 1] - from[c];
    to += min(points, rank) + (c < own && points > rank ? 1 : 0);
  }
  return to;
}

}  // namespace spokelab::gpu
