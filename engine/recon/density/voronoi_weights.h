// Density weights as areas of Voronoi cells (Rasche et al., IEEE TMI 18:385, 1999): the part of
// k-space that is nearer to a sample than to any other, in (cycles/FOV)^2; planes of a stack one by
// one, times their distance.
// Samples at one place share their cell. Cells at the edge would be unbounded: they end where the
// convex hull of the samples, moved outwards by half the distance of neighbours at the edge, ends;
// a Cartesian grid gets 1 everywhere.
// Each cell is cut out of that hull by the bisectors to its neighbours, nearest first (from a k-d
// tree), until no further one can reach it: rounding moves a cell's edges by rounding, whatever the
// points, and areas add up to the hull's.
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// False where the trajectory is neither 2-D nor a stack of planes along kz, or its points span no
// area. Samples with `mask` 0 (empty: none) are left out and get weight 0. Throws Cancelled.
bool voronoiWeights(const Trajectory& trajectory, const std::vector<char>& mask, int threads,
                    Buffer<double>& weights, const Progress& progress);

}  // namespace spokelab
