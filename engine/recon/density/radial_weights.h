// Analytic density weights of radial trajectories.
#pragma once

#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

// Recognises straight lines through (or from) the centre, and stacks of such stars along kz, and
// fills in their weights: Ram-Lak with a corrected centre. A sample stands for the cell between the
// middles to its neighbours on the line, over the angle (2-D: half the gaps to the neighbouring
// rays; 3-D: an equal share of the sphere) that belongs to its ray; the weights add up to the area
// (volume) that was covered. Lengths are compared in units of `matrix`, so that ellipses of
// anisotropic scans count as radial. radius: the largest of all samples in these units; 0 where
// that was not needed.
bool radialWeights(const Trajectory& trajectory, Buffer<double>& weights, const Index3& matrix = {1, 1, 1},
                   double* radius = nullptr);

}  // namespace spokelab
