// A map that fits measured values where they are sure and bends little elsewhere:
//   min over x: sum_n q_n (x_n - v_n)^2 + lambda sum_d |second differences of x along d|^2
// Slopes cost nothing, so that the edge of an object does not flatten a field there (the penalty of
// J. A. Fessler's field map estimation, A. K. Funai et al., IEEE TMI 27:1484, 2008).
#pragma once

#include <span>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

// values, quality: [z, y, x]; quality as inverse variances, in any unit: lambda is by its median,
// without zeros. width: pixels; waves of the map of this length keep half their height where the
// quality is the median. Throws Cancelled.
std::vector<double> smoothMap(std::span<const double> values, std::span<const double> quality,
                              const Index3& size, double width, const Progress& progress);

}  // namespace spokelab
