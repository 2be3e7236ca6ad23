// Slices of arrays whose description gives positions.
#pragma once

#include <vector>

#include "engine/scan/read/description/scan_description.h"

namespace spokelab {

// Numbers in the array of slices by position; unchanged without a position for each slice.
std::vector<int> slicesInArray(const ScanDescription& description, std::int64_t slices,
                               std::vector<int> byPosition);

}  // namespace spokelab
