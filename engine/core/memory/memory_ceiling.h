// The best bandwidth of a backend's memory: the ceiling with which a stage's bandwidth is compared.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/progress.h"

namespace spokelab {

struct MemoryCeiling {
  double bytesPerSecond = 0;  // reads plus writes
  int threads = 0;            // 0: a device copies within its own memory
  std::int64_t bytes = 0;     // read plus written in one repeat
  int repeats = 0;
  double spread = 0;  // (p75 - p25) / median of the times
};

// From one time for each repeat; a repeat moved `bytes`.
MemoryCeiling ceilingFrom(std::vector<double> seconds, std::int64_t bytes, int threads);

// The CPU's ceiling: all threads copy one large array to another, repeatedly; returns the median.
// threads <= 0: all. Takes about a second; throws Cancelled, and Error if memory is missing.
MemoryCeiling measureCopyCeiling(int threads, const Progress& progress);

}  // namespace spokelab
