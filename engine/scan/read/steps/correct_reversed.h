// Readouts flagged as reversed (flag 22). Samples and trajectory are stored side by side, so that
// nothing needs to be done, unless the writer reversed only one of them. The signal tells: it is
// strong where |k| is small.
#pragma once

#include <vector>

#include "engine/scan/read/steps/group_frames.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Decides whether flagged readouts run against their trajectory, and reverses them if so.
void correctReversed(Scan& scan, const Groups& groups, const Selection& selection,
                     const std::vector<AcquisitionHead>& heads, Decisions& d);

}  // namespace spokelab
