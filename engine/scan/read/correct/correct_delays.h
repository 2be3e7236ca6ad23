// Decision gradient-delays: moves the trajectory to where delayed gradients have brought it.
#pragma once

#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Choices: none (also where nobody asks); axes or common, fitted by fitDelays(); per-shot, axes and
// then a further delay of each shot by fitShotDelays(); or delays in samples for each axis, as in
// 0.3,-0.1. The decision holds the disagreement of the samples near the centre before and after.
// Throws Error, Cancelled.
void correctDelays(Scan& scan, Decisions& d, const Progress& progress);

}  // namespace spokelab
