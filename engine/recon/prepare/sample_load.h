// The number of samples in each cell: a tile of a plan's grid (the load that a thread or a block
// gets at once), or a cell of the Nyquist grid (density, with holes where it is 0).
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct SampleLoad {
  std::vector<float> of;      // for each sample: number of samples in its cell
  std::int64_t cells = 0;     // with samples
  double most = 0, mean = 0;  // samples in one of these cells
  double holes = 0;           // share of empty cells inside the ellipsoid of the samples' extent
};

// grid: cells of the whole band along x, y, z, -N/2 ... N/2 cycles/FOV of `matrix`; samples beyond
// are folded back, as a transform does. cell: number of grid cells that make one cell here. Throws
// Error where there are too many to count; Cancelled.
SampleLoad sampleLoad(const Trajectory& trajectory, const Index3& matrix, const Index3& grid,
                      const Index3& cell, const Progress& progress);

}  // namespace spokelab
