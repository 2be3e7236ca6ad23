// Decides the axis of each stored column of k. Swapped or negated columns give a turned or mirrored
// picture, and only sizes that differ between axes can reveal it. The reader offers all possible
// orders and takes the stored one unless the sizes clearly contradict it.
#pragma once

#include "engine/scan/read/steps/raw_trajectory.h"

namespace spokelab {

// Puts raw's first `dims` columns into the order and direction of the axes.
void decideAxes(RawTrajectory& raw, int dims, const EncodingSpace& space, Decisions& d);

}  // namespace spokelab
