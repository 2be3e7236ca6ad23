// Coil sensitivities, estimated from the scan itself. Both kinds have root of the sum of squares 1
// (or 0 where there is nothing to estimate from), and their common phase is that of the scan's
// strongest combination of coils.
//   walsh    the leading eigenvector of the coils' covariance in a neighbourhood
//            (Walsh, Gmitro, Marcellin 2000), on the pixels of the centre's images, interpolated
//            linearly between them
//   espirit  the eigenvector of eigenvalue 1 of the operator that the calibration region's k-space obeys
//            (Uecker et al. 2014): one set of maps, computed at every pixel
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/coils/centre_images.h"

namespace spokelab {

enum class CoilMapMethod { walsh, espirit };

struct CoilMapOptions {
  CoilMapMethod method = CoilMapMethod::espirit;
  int calibration = 24;  // width of the centre of k-space, cycles/FOV
  double crop = 0.7;     // espirit: maps are 0 where the eigenvalue is smaller
};

// What centreImages() is asked for: ESPIRiT needs no more than k-space tells, Walsh's
// neighbourhoods need some pixels.
int centreOversampling(CoilMapMethod method);

// Returns [coil, pixel] of `matrix`. Throws Error where all images are zero, and where memory for
// the maps and a few tiles is missing; Cancelled.
std::vector<cfloat> estimateCoilMaps(const CentreImages& centre, int coils, const Index3& matrix, int dims,
                                     const CoilMapOptions& options, const Progress& progress);

}  // namespace spokelab
