// Phases of shots: motion while a diffusion-weighted scan is encoded multiplies the image that a
// shot sees by e^{i phi_s(r)}. A rigid body's translation gives a constant, its rotation a linear
// phase (A. W. Anderson, J. C. Gore: Analysis and correction of motion artifacts in diffusion
// weighted imaging. Magnetic Resonance in Medicine 32(3), 379-387, 1994):
//   phi_s(r) = c_s + 2 pi b_s . r,  r in fields of view.
// The shot's k-space is then e^{i c_s} M(k - b_s), with M the object's: exact, and free of cost.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

struct ShotPhase {
  double constant = 0;   // rad
  Vec3 cycles{0, 0, 0};  // b, cycles/FOV
};

// Random phases, a function of the seed; |phi| <= peak (rad) in the field of view. Empty: peak = 0.
std::vector<ShotPhase> randomShotPhases(std::int64_t shots, int dims, double peak, unsigned seed);

// The points k - b of each sample's shot.
std::vector<double> movedPoints(const Trajectory& trajectory, const std::vector<ShotPhase>& phases);
// Multiplies samples [coil, sample] by e^{i c} of their shots.
void turnShots(const Trajectory& trajectory, const std::vector<ShotPhase>& phases, Buffer<cfloat>& samples);

// The phases on `matrix` as files hold them: "PhaseMaps" [shot, z, y, x], rad.
NamedArray phaseMaps(const std::vector<ShotPhase>& phases, const Index3& matrix);

}  // namespace spokelab
