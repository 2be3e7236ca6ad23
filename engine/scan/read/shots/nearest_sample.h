// The sample of a shot that is nearest to the centre of k-space.
#pragma once

#include <cstdint>

#include "engine/scan/scan.h"

namespace spokelab {

// Among all samples of the trajectory, at most `radius` cycles/FOV from the centre; the first of
// equals; -1: none is so near.
std::int64_t nearestSample(const Trajectory& t, std::int64_t shot, double radius);

}  // namespace spokelab
