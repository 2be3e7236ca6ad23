// What a backend's memory can do at best: the ceiling that a stage's achieved bandwidth is set
// against.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/progress.h"

namespace spokelab {

struct MemoryCeiling {
  double bytesPerSecond = 0;  // read and written, together
  int threads = 0;            // 0: a device copies within its own memory
  std::int64_t bytes = 0;     // moved a repeat
  int repeats = 0;
  double spread = 0;  // (p75 - p25) / median of the times
};

// From the times of `repeats` copies that moved `bytes` each.
MemoryCeiling ceilingFrom(std::vector<double> seconds, std::int64_t bytes, int threads);

// The CPU's: copies one large array to another on all threads, again and again; the median counts.
// threads <= 0: all. A second or so; throws Cancelled, Error where there is no memory for it.
MemoryCeiling measureCopyCeiling(int threads, const Progress& progress);

}  // namespace spokelab
