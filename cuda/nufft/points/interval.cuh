// Finds the interval that holds a number, among intervals that follow each other: bins of points,
// tasks of bins, sets of points.
#pragma once

#include <cstdint>

namespace spokelab::gpu {

// The last of `count` intervals that begins at x or before. start: ascending, start[0] <= x. Of
// intervals that begin together, all but the last are empty.
template <class Start>
__device__ __forceinline__ std::int64_t intervalOf(const Start* start, std::int64_t count, Start x) {
  std::int64_t low = 0, high = count;
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    if (start[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

}  // namespace spokelab::gpu
