// Slices of arrays whose description gives positions.
#pragma once

#include <vector>

#include "engine/scan/read/description/scan_description.h"

namespace spokelab {

// byPosition: slices asked for, numbered in the order of their positions. Returns their indices in
// the array; without a position for each slice the two are equal.
std::vector<int> slicesInArray(const ScanDescription& description, std::int64_t slices,
                               std::vector<int> byPosition);

}  // namespace spokelab
