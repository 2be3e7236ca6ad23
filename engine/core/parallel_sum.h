// Sums long arrays on all cores. The result has the same bits for any number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/core/thread_pool.h"

namespace spokelab {

// The sum of term(i) over i < n: blocks of a fixed size are summed in parallel, then added in
// order. Another block size changes the rounding. `term` is called from several threads.
template <class Sum, class Term>
Sum sumOver(std::int64_t n, int threads, const Term& term) {
  constexpr std::int64_t valuesPerTask = 1 << 14;
  std::vector<Sum> parts(std::size_t((n + valuesPerTask - 1) / valuesPerTask));
  parallelTasks(std::int64_t(parts.size()), threads, [&](std::int64_t block) {
    Sum sum = 0;
    for (std::int64_t i = block * valuesPerTask; i < std::min(n, (block + 1) * valuesPerTask); ++i)
      sum += term(i);
    parts[std::size_t(block)] = sum;
  });
  Sum sum = 0;
  for (const Sum& part : parts) sum += part;
  return sum;
}

}  // namespace spokelab
