// ESPIRiT's operator (Uecker et al., MRM 71:990, 2014) of a calibration region, as matrices over
// the pixels. Blocks of w^d samples of all coils are vectors in a space of few dimensions.
// Over the pixels this space acts as multiplication by
//   H(x) = w^-d sum_r u_r(x) u_r(x)^H,   u_r(x)_c = sum_a conj(v_r)_{c,a} e^{+2 pi i a . x},
// v_r the space's orthonormal basis, x in fields of view. The maps are H's eigenvectors of
// eigenvalue 1. H is a trigonometric polynomial of the shifts -(w-1) ... w-1, so that its values at
// 2w-1 places an axis give it everywhere.
#pragma once

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

// k-space at whole k, [coil, kz, ky, kx].
struct CalibrationData {
  int coils = 0;
  Index3 size{1, 1, 1};
  Buffer<cfloat> values;
};

// The central k-space of images [coil, z, y, x]: k from -floor(size/2) on, cycles per FOV. pixels:
// size of the images; size: of the region.
CalibrationData calibrationData(const cfloat* images, int coils, const Index3& pixels, const Index3& size,
                                const Progress& progress);

// The number of places, along each axis, at which a block of `width` fits into the region.
Index3 blockPlaces(const CalibrationData& data, const Index3& width);

// The number of shifts along each axis of the operator of blocks of `width`.
Index3 operatorShifts(const Index3& width);

// H[pair](x) = sum over s of coefficients[s](pair) e^{-2 pi i s . x}; pairs as in coil_loops.h.
struct PixelOperator {
  int coils = 0;
  std::int64_t rank = 0;   // of the calibration matrix
  Index3 shifts{1, 1, 1};  // how many, an axis: -(n-1)/2 ... (n-1)/2
  Buffer<float> re, im;    // [sz, sy, pair, sx]
};

// width: w, an axis. Basis vectors whose squared singular value is below `share` of the largest are
// left out. Throws Error where memory for it is missing; Cancelled.
PixelOperator pixelOperator(const CalibrationData& data, const Index3& width, double share,
                            const Progress& progress);

}  // namespace spokelab
