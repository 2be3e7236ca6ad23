// What the frames are that the acquisitions were grouped into (frame_axes.h), and the values of
// their axes: echo times from the header, times from the clock stamps of the acquisitions.
#pragma once

#include "engine/scan/read/steps/group_frames.h"
#include "engine/scan/read/steps/mrd_header.h"

namespace spokelab {

// One axis for each counter that made frames (Groups::counters), the first one slowest. A counter
// with a single value makes an axis only where that value is known.
FrameAxes nameFrames(const Groups& groups, const Selection& selection,
                     const std::vector<AcquisitionHead>& heads, const MrdHeader& header, Decisions& d);

}  // namespace spokelab
