// The truth that an image of a phantom is compared with.
#pragma once

#include "engine/core/progress.h"
#include "engine/scan/simulate/phantom.h"
#include "engine/scan/simulate/trajectories.h"

namespace spokelab {

// The truth for images of `matrix`, without coils:
//   points: phantomImage;
//   band:   sum over the closed-form k-space at the matrix' own frequencies, as a fully sampled
//           Cartesian scan gives it;
//   ball:   integral over the k-space within the ellipse (ellipsoid) of semi-axes N_d/2, by steps
//           of 1/2 cycle/FOV: the most that radial and spiral scans can give.
enum class TruthKind { points, band, ball };
// The one to compare images of a pattern with: ball where it leaves the corners of k-space out.
TruthKind fairTruth(Pattern pattern);
Image truthImage(const Phantom& phantom, const Index3& matrix, TruthKind kind, const Progress& progress);

}  // namespace spokelab
