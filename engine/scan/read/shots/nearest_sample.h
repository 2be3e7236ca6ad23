// The sample of a shot that is nearest to the centre of k-space.
#pragma once

#include <cstdint>

#include "engine/scan/scan.h"

namespace spokelab {

// The first of the nearest samples within `radius` cycles/FOV of the centre; -1: none.
std::int64_t nearestSample(const Trajectory& t, std::int64_t shot, double radius);

}  // namespace spokelab
