// Asks one pixel of a scan's image (pixel_answer.h).
#pragma once

#include <string>
#include <vector>

#include "engine/recon/explore/pixel/pixel_answer.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

// The first of options.frames; alpha and W that are not given follow from the accuracy, without
// tuning. Throws Error where the pixel is outside the image; Cancelled.
PixelAnswer askPixel(Backend& backend, const Scan& scan, const ReconOptions& options, const Index3& pixel,
                     const Progress& progress);

}  // namespace spokelab
