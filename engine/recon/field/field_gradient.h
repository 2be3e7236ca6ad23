// In-voxel gradients of a field map, for GdftR2: G_d = change of the field over one voxel along d,
// cycles/s per voxel.
//   physical      (default) central differences over two voxels, halved, one-sided at the edges,
//                 in cycles/s
//   powerGrid2020 the gradients of PowerGrid's code of 2020, to compare with its images:
//                 differences of rad/s that are not halved (4 pi times too large), along x and y
//                 through the flat index (they wrap from row to row), with N_y pixels as the step
//                 along y, not N_x
#pragma once

#include <span>
#include <vector>

#include "engine/core/array.h"
#include "engine/recon/options/gradient_mode.h"

namespace spokelab {

// field: [z, y, x] in rad/s. Returns [dims][pixel]. Throws Error where the sizes do not fit.
std::vector<double> fieldGradient(std::span<const double> field, const Index3& matrix, int dims,
                                  GradientMode mode = GradientMode::physical);

}  // namespace spokelab
