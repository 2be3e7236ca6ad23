// Decides the image's place in the patient from the acquisition headers.
#pragma once

#include <vector>

#include "engine/scan/read/steps/group_frames.h"
#include "engine/scan/scan.h"

namespace spokelab {

Geometry decideGeometry(const Groups& groups, const Selection& selection,
                        const std::vector<AcquisitionHead>& heads, const ImageSpace& space, int dims,
                        Decisions& d);

}  // namespace spokelab
