// Decision gradient-delays: moves the trajectory to where delayed gradients have brought it.
#pragma once

#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// none (also where nobody asks), axes, common, per-shot (axes, and what single shots are late
// besides), or samples for each axis as in 0.3,-0.1: fitDelays(). The decision holds the
// disagreement of the samples near the centre before and after. Throws Error, Cancelled.
void correctDelays(Scan& scan, Decisions& d, const Progress& progress);

}  // namespace spokelab
