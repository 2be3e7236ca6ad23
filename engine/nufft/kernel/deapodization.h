// Factors that divide an image by the kernel's transform: one number a pixel along one dimension.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/nufft/kernel/kernel.h"

namespace spokelab {

// 1 / transform for one dimension: factor[n + floor(N/2)], n = -floor(N/2) ... , grid size G. Along
// long images a transform without a closed form is interpolated, to rounding: its quadrature would
// take seconds for a million pixels.
std::vector<double> deapodization(const Kernel& kernel, std::int64_t imageSize, std::int64_t gridSize);

}  // namespace spokelab
