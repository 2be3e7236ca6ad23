// The phases of second order of a trajectory (SecondOrder in scan.h) as forms of the exact sums:
//   turns_j = (xx, zz, 2 xz, 2 yz) of sample j,  places_n = (x² + y², z², x z, y z) of pixel n
// with the pixel's place about the middle of its slice, or of the volume, in m and patient axes.
#pragma once

#include "engine/recon/field/gdft/gdft_problem.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Forms that turn no pixel at any sample are left out.
PhaseForms secondOrderForms(const Trajectory& trajectory, const Geometry& geometry, std::size_t slice);

// Bound of |phase| over pixels and samples, rad.
double largestPhase(const PhaseForms& forms);

}  // namespace spokelab
