// Adaptive coil combination (Walsh, Gmitro, Marcellin, MRM 43:682, 2000): in each pixel the matched
// filter of the coils' local covariance,
//   m = v^H c,   v the dominant unit eigenvector of R = sum over the pixel's block of c c^H,
// for white noise (prewhitened coils) the combination of the best signal-to-noise ratio. |m| is the
// root sum of squares where the coils are free of noise. The phase of v is such that its product
// with the dominant eigenvector of the whole image is real and positive: m keeps the phase that
// this one virtual coil sees.
#pragma once

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

// The block where options leave it open: 9 pixels in 2-D, 5 in 3-D.
int defaultWalshBlock(int dims);

// images [coil, z, y, x]; out [z, y, x]; block: pixels along each axis, odd (an even number counts
// as the next odd one). The block is cut at the image's edges. threads <= 0: all. Throws Cancelled.
template <class Real>
void combineAdaptively(const std::complex<Real>* images, int coils, const Index3& size, int block,
                       int threads, std::complex<Real>* out, const Progress& progress);

}  // namespace spokelab
