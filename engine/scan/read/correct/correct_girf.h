// Decision girf: the trajectory as a measured gradient impulse response makes it (girf.h), and the
// phase of the field that goes with it taken from the samples.
#pragma once

#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// none (also where nobody asks), or the file of the response. Needs the dwell time. The decision
// holds by how much points have moved. Throws Error, Cancelled.
void correctGirf(Scan& scan, Decisions& d, const Progress& progress);

}  // namespace spokelab
