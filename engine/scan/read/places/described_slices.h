// Slices of arrays whose description gives positions.
#pragma once

#include <vector>

#include "engine/scan/read/description/scan_description.h"

namespace spokelab {

// Numbers of slices by position (0: the first one of the sorted slices) as numbers in the array.
// They are the same if the description has no position for each of the `slices`.
std::vector<int> slicesInArray(const ScanDescription& description, std::int64_t slices,
                               std::vector<int> byPosition);

}  // namespace spokelab
