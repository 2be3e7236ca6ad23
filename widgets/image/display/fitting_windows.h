// The grey-level windows that fit an image, and whether an image can be shown at all.
#pragma once

#include "engine/scan/scan.h"
#include "widgets/core/display_mode.h"

namespace spokelab {

// True where the image has voxels and holds as much data as it says.
bool isShowable(const Image* image);

// Magnitude: 0 to just above the 99.8th percentile of the voxels that are not zero; real and
// imaginary part: from minus that to plus that. Looks at a subset of a large image's voxels, and at
// finite ones only. An image of zeros gives 0 ... 1 and -1 ... 1.
DisplayWindows fittingWindows(const Image& image, int frame);

}  // namespace spokelab
