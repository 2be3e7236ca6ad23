// Images of other grids made comparable: linear interpolation in patient coordinates (LPS, mm).
#pragma once

#include <memory>
#include <string>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// True if pixels of the same number have the same place, to a tenth of a pixel. An image without a
// known place has the grid of any other image of its size.
bool sameGrid(const Image& a, const Image& b);

// The reason why `image` cannot be compared on the grid of `onto`: the numbers of frames differ, a
// place is unknown, slices of either are uneven, or the two do not overlap. Empty without one.
std::string gridObstacle(const Image& image, const Image& onto);

// `image` on the grid of `onto`, which has another one. Pixels of `onto` that lie outside `image`
// are not a number. Throws Error with the reason of gridObstacle(), or where memory does not
// suffice; Cancelled.
std::shared_ptr<const Image> resampled(const Image& image, const Image& onto, const Progress& progress);

// `image` itself where it has the grid of `onto`, else resampled.
std::shared_ptr<const Image> onGridOf(const Image& onto, std::shared_ptr<const Image> image,
                                      const Progress& progress);

// "resampled (linear) from 64 x 64 x 32 pixels of 3.4 x 3.4 x 4 mm, covers 87%"
std::string resampledText(const Image& image, const Image& result);

}  // namespace spokelab
