// Analytic density weights of radial trajectories.
#pragma once

#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

// Recognises straight lines through (or from) the centre, and stacks of such stars along kz, and
// fills in their weights: Ram-Lak with a corrected centre, in (cycles/FOV)^d. Returns false where
// the trajectory is not of this kind. A sample's cell reaches to the middles between it and its
// neighbours on the line, over the angle of its ray (2-D: half the gaps to the neighbouring rays;
// 3-D: an equal share of the sphere). The weights add up to the area (volume) that was covered.
// Lengths are compared in units of `matrix`, so that ellipses of anisotropic scans count as radial.
// radius: the largest |k| of all samples in these units; 0 where it was not needed.
bool radialWeights(const Trajectory& trajectory, Buffer<double>& weights, const Index3& matrix = {1, 1, 1},
                   double* radius = nullptr);

}  // namespace spokelab
