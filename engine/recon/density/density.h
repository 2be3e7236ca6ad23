// Density compensation: k-space area (volume) of each sample in (cycles/FOV)^d.
// Gridding is N^{-d} sum_j w_j y_j e^{+2 pi i n . k_j} (design section 3).
#pragma once

#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct DensityWeights {
  std::vector<double> values;  // one a sample
  std::string origin;          // "from the file", "analytic, radial (25 spokes)", "Pipe-Menon, 20 iterations"
};

// automatic: the file's, else analytic where the trajectory is radial, else Pipe-Menon.
// Samples that lie beyond the band of `matrix` (|k_d| > N_d/2 + 1/2: they would fold onto others) get
// weight 0.
// Throws Error where `file` or `analytic` is asked for and cannot be had.
DensityWeights densityWeights(const Trajectory& trajectory, const Index3& matrix, const ReconOptions& options,
                              NufftBackend& backend, const Progress& progress);

// Straight lines through (or from) the centre, or a stack of such stars along kz? Fills in weights if so:
// Ram-Lak with a corrected centre. A sample stands for the cell between the middles to its neighbours on
// the line, over the angle (2-D: half the gaps to the neighbouring rays; 3-D: an equal share of the sphere)
// that belongs to its ray; the weights add up to the area (volume) that was covered. Lengths are compared
// in units of `matrix`, so that ellipses of anisotropic scans count as radial.
bool radialWeights(const Trajectory& trajectory, std::vector<double>& weights,
                   const Index3& matrix = {1, 1, 1});

// Pipe and Menon (MRM 41:179, 1999): w <- w / (C w), where C convolves with a kernel that is not negative and
// whose transform vanishes outside twice the field of view, so that the point spread function is right over
// the ball (ellipsoid) that fits into the image:
//   C w (k_i) = N^{-d} sum_n t(n) e^{-2 pi i n . k_i} sum_j w_j e^{+2 pi i n . k_j},
// t(n): overlap of that ball with itself moved by n, over its volume (1 at n = 0, 0 from |n| = N on).
// Samples with `mask` 0 (empty: none) are left out and get weight 0.
// Converges to k-space areas in (cycles/FOV)^d; a sample alone in its cell gets that of the ball's cell.
std::vector<double> pipeMenonWeights(const Trajectory& trajectory, const Index3& matrix, int iterations,
                                     const NufftOptions& options, const std::vector<char>& mask,
                                     NufftBackend& backend, const Progress& progress);

}  // namespace spokelab
