// The truth that an image of a phantom is compared with.
#pragma once

#include "engine/core/progress.h"
#include "engine/scan/simulate/phantom.h"

namespace spokelab {

// What an image of `matrix` is compared with, without coils:
//   points: phantomImage;
//   band:   sum over the closed-form k-space at the matrix' own frequencies: what a fully sampled Cartesian scan gives;
//   ball:   integral over the k-space within the ellipse (ellipsoid) of semi-axes N_d/2, by steps of 1/2 cycle/FOV:
//           what radial and spiral scans can give.
enum class TruthKind { points, band, ball };
Image truthImage(const Phantom& phantom, const Index3& matrix, TruthKind kind, const Progress& progress);

}  // namespace spokelab
