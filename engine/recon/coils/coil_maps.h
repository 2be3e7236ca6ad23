// Coil sensitivities, estimated from the scan itself. Both kinds have root of the sum of squares 1
// (or 0 where the coils show nothing), and the scan's strongest combination of coils gives their
// common phase.
//   walsh    the leading eigenvector of the coils' covariance in a neighbourhood
//            (Walsh, Gmitro, Marcellin 2000), on the pixels of the centre's images, interpolated
//            linearly between them
//   espirit  the eigenvectors of eigenvalue 1 of the operator that the calibration region obeys
//            (Uecker et al. 2014), computed at every pixel: one set of maps, or two (soft SENSE)
//            for objects that reach beyond the field of view, where two places share a pixel
#pragma once

#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/core/progress.h"
#include "engine/recon/coils/centre_images.h"

namespace spokelab {

enum class CoilMapMethod { walsh, espirit };

struct CoilMapOptions {
  CoilMapMethod method = CoilMapMethod::espirit;
  int calibration = 24;  // width of the centre of k-space, cycles/FOV
  double crop = 0.7;     // espirit: maps are 0 where the eigenvalue is smaller
  int sets = 1;          // espirit: 1 or 2
};

// centreImages()' oversampling: ESPIRiT needs only k-space, Walsh's neighbourhoods some pixels.
int centreOversampling(CoilMapMethod method);

// Sum of |scale image|^2 over all coils and pixels. Throws Error where it is 0.
double requireSignal(const CentreImages& centre, double scale);
// Throws Error where the images of all ranks (null: this one alone) hold no signal.
void requireSignal(const CentreImages& centre, Ranks* ranks, const Progress& progress);
// Throws Error where the method has no such number of sets.
void requireSets(const CoilMapOptions& options, int coils);

// Returns [set, coil, pixel] of `matrix`. Throws Error where all images are zero, and where memory
// for the maps and a few tiles is missing; Cancelled. Empty coils (centre_images.h) have no map.
std::vector<cfloat> estimateCoilMaps(const CentreImages& centre, int coils, const Index3& matrix, int dims,
                                     const CoilMapOptions& options, const Progress& progress);

}  // namespace spokelab
