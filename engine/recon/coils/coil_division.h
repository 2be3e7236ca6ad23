// The division of a scan's coils over ranks: each rank transforms its share of the coils. Values
// that depend on all coils are computed together, and are the same on all ranks.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/core/jobs/ranks.h"

namespace spokelab {

struct CoilDivision {
  Ranks* ranks = nullptr;
  std::vector<std::vector<int>> coils;  // [rank]: consecutive numbers of its coils

  const std::vector<int>& own() const { return coils[std::size_t(ranks->rank())]; }
};

}  // namespace spokelab
