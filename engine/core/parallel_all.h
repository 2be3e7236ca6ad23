// Checks a condition for all elements of a long array, on all cores.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/core/thread_pool.h"

namespace spokelab {

// True if holds(begin, end) for all pieces of [0, n). `holds` is called from several threads; after
// the first failure other pieces may be skipped.
template <class Holds>
bool holdsForAll(std::int64_t n, const Holds& holds) {
  constexpr std::int64_t valuesPerTask = 1 << 16;
  std::atomic<bool> all = true;
  parallelFor(n, 0, valuesPerTask, [&](std::int64_t begin, std::int64_t end) {
    if (all && !holds(begin, end)) all = false;
  });
  return all;
}

}  // namespace spokelab
