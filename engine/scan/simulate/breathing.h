// Breathing of a simulated subject: the phantom moves along y, from shot to shot, while the coils
// stay, d_s = D (1 - cos(2 pi s / S)) / 2 with S shots a breath. In closed form: the object's
// k-space at k - f, seen through the coil's exponential f, is multiplied by
//   e^{-2 pi i (k - f) d_s}
#pragma once

#include <vector>

#include "engine/scan/scan.h"
#include "engine/scan/simulate/simulate.h"

namespace spokelab {

// [shot] in fields of view; empty: the subject holds its breath.
std::vector<double> breathingShifts(const SimulateOptions& options, std::int64_t shots, double fovMm);

// Moves an object's values at k - frequencies[f] along y.
void moveAlongY(double ky, double shift, const std::vector<Vec3>& frequencies, cdouble* values);

}  // namespace spokelab
