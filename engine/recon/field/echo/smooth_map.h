// A map that follows measured values of high quality and is smooth elsewhere:
//   min over x: sum_n q_n (x_n - v_n)^2 + lambda sum_d (|second differences|^2 + 1e-3 |first|^2)
// Slopes cost almost nothing, so that the edge of an object does not flatten a field there; without
// data nearby their small cost makes the map flat (the penalty of J. A. Fessler's field map
// estimation, A. K. Funai et al., IEEE TMI 27:1484, 2008).
#pragma once

#include <span>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

// values, quality: [z, y, x]; quality as inverse variances, in any unit. lambda is the median of
// the positive qualities times (width / 2 pi)^4, so that a wave of `width` pixels is halved if the
// quality is the median; qualities count up to 100 medians. All 0 without a positive quality.
// Throws Cancelled.
std::vector<double> smoothMap(std::span<const double> values, std::span<const double> quality,
                              const Index3& size, double width, const Progress& progress);

}  // namespace spokelab
