// The places of an image's voxels, in NIfTI's form.
#pragma once

#include <array>

#include "engine/scan/scan.h"

namespace spokelab {

// Affine voxel index (i, j, k, 1) -> RAS mm, row-major 3x4: columns direction x voxel, rows 0 and 1
// negated, origin = position - sum direction * voxel * floor(N/2). slicePositions give the step
// between slices.
std::array<std::array<double, 4>, 3> niftiAffine(const Geometry& geometry, const Index3& size);

}  // namespace spokelab
