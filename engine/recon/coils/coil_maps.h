// Coil sensitivities, estimated from the scan itself. Both kinds have root of the sum of squares 1
// (or 0 where there is nothing to estimate from), and their common phase is that of the scan's
// strongest combination of coils.
//   walsh    the leading eigenvector of the coils' covariance in a neighbourhood
//            (Walsh, Gmitro, Marcellin 2000)
//   espirit  the eigenvector of eigenvalue 1 of the operator that the calibration region's k-space obeys
//            (Uecker et al. 2014): one set of maps
// Both work on low-resolution images of the coils: the centre of k-space through a Hann window.
#pragma once

#include <span>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"

namespace spokelab {

enum class CoilMapMethod { walsh, espirit };

struct CoilMapOptions {
  CoilMapMethod method = CoilMapMethod::espirit;
  int calibration = 24;  // width of the centre of k-space, cycles/FOV
  double crop = 0.7;     // espirit: maps are 0 where the eigenvalue is smaller
};

// The samples of a slice or volume. points: [sample, dims] in cycles/FOV.
struct CoilSamples {
  int dims = 2;
  Index3 matrix{1, 1, 1};
  std::span<const double> points;
  std::span<const cfloat* const> coils;
};

// Images [coil, pixel] of the centre of k-space: N^{-d} sum_j w_j h(k_j) y_j e^{+2 pi i n . k_j}.
// density: areas, [sample].
std::vector<cfloat> centreImages(NufftBackend& backend, const CoilSamples& samples,
                                 std::span<const double> density, int calibration,
                                 const NufftOptions& options, const Progress& progress);

// images: [coil, pixel] of centreImages. Returns [coil, pixel]. Throws Error where all images are
// zero.
std::vector<cfloat> estimateCoilMaps(std::span<const cfloat> images, int coils, const Index3& matrix,
                                     int dims, const CoilMapOptions& options, const Progress& progress);

}  // namespace spokelab
