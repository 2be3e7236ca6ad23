// Density compensation: k-space area (volume) of each sample in (cycles/FOV)^d.
// Gridding is N^{-d} sum_j w_j y_j e^{+2 pi i n . k_j} ([formulas]).
#pragma once

#include <string>
#include <vector>

#include "engine/core/memory/shared_values.h"
#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct DensityWeights {
  SharedValues values;  // one a sample; a file's are shared with the trajectory, which outlives these
  std::string origin;   // "from the file", "analytic, radial (25 spokes)", "Pipe-Menon, 20 iterations"
};

// automatic: the file's, else analytic where the trajectory is radial, else Pipe-Menon; none: ones.
// Samples that lie beyond the band of `matrix` (|k_d| > N_d/2 + 1/2: they would fold onto others)
// get weight 0. Throws Error where `file`, `analytic` or `voronoi` is asked for and cannot
// be had; Cancelled.
DensityWeights densityWeights(const Trajectory& trajectory, const Index3& matrix, const ReconOptions& options,
                              NufftBackend& backend, const Progress& progress);

// True if these weights are found by iterations, with plans of the backend (Pipe-Menon).
bool densityIterates(const Trajectory& trajectory, const Index3& matrix, const ReconOptions& options);

}  // namespace spokelab
