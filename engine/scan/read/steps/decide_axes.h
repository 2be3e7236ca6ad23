// Which axis each stored column of k is. Swapped or negated columns give a turned or mirrored
// picture, and only sizes that differ between the axes can tell: the reader offers all possible
// orders, and takes the stored one unless the sizes speak clearly against it.
#pragma once

#include "engine/scan/read/steps/raw_trajectory.h"

namespace spokelab {

// Puts raw's first `dims` columns into the order and direction of the axes.
void decideAxes(RawTrajectory& raw, int dims, const EncodingSpace& space, Decisions& d);

}  // namespace spokelab
