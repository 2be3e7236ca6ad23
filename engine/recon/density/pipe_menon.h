// Iterated density weights of any trajectory, on any backend's plans.
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Pipe and Menon (MRM 41:179, 1999): w <- w / (C w), where C convolves with a kernel that is not
// negative and whose transform vanishes outside twice the field of view, so that the point spread
// function is right over the ball (ellipsoid) that fits into the image:
//   C w (k_i) = N^{-d} sum_n t(n) e^{-2 pi i n . k_i} sum_j w_j e^{+2 pi i n . k_j},
// t(n): overlap of that ball with itself moved by n, over its volume (1 at n = 0, 0 from |n| = N
// on).
// Samples with `mask` 0 (empty: none) are left out and get weight 0.
// Converges to k-space areas in (cycles/FOV)^d; a sample alone in its cell gets that of the ball's
// cell.
std::vector<double> pipeMenonWeights(const Trajectory& trajectory, const Index3& matrix, int iterations,
                                     const NufftOptions& options, const std::vector<char>& mask,
                                     NufftBackend& backend, const Progress& progress);

}  // namespace spokelab
