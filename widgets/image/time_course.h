// Values over the frames of an image: repetitions, phases, echoes.
#pragma once

#include <optional>
#include <vector>

#include "engine/scan/check/region_metrics.h"

namespace spokelab {

// The mean magnitude of a region, else the magnitude of one pixel (x, y, z). Empty for an image of
// one frame, and for a pixel outside. Throws Error for a region outside.
std::vector<double> timeCourse(const Image& image, const std::optional<ImageRegion>& region,
                               const Index3& pixel);

}  // namespace spokelab
