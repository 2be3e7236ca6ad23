// Ranks that divide the coils of a volume: each transforms its own. What belongs to all coils is
// found out together, and is then the same on all.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/core/jobs/ranks.h"

namespace spokelab {

struct CoilDivision {
  Ranks* ranks = nullptr;
  std::vector<std::vector<int>> coils;  // of each rank, numbers that follow each other

  const std::vector<int>& own() const { return coils[std::size_t(ranks->rank())]; }
};

}  // namespace spokelab
