// Matrix, field of view and readout oversampling of the image, and whether they fit the trajectory.
#pragma once

#include <string>

#include "engine/scan/read/steps/decide_columns.h"

namespace spokelab {

// The image's grid and the factors that turn stored coordinates into cycles/FOV of that grid.
struct ImageSpace {
  Index3 matrix{1, 1, 1};
  Vec3 fov{1, 1, 1};
  Vec3 scale{1, 1, 1};
  bool nominal = false;  // the field of view was assumed
};
// partitions: the largest kspace_encode_step_2 of the image, plus 1. unitRemark: words of the
// header about the unit of k, or empty.
ImageSpace decideSpace(const RawTrajectory& raw, const Columns& columns, const EncodingSpace& space,
                       std::int64_t partitions, const std::string& unitRemark, Decisions& d);

}  // namespace spokelab
