// The parts of Walsh's method (Walsh, Gmitro, Marcellin, MRM 43:682, 2000): the covariance of the
// coils in a block around each pixel, R = sum over the block of c c^H, and its dominant
// eigenvectors.
#pragma once

#include <functional>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/recon/coils/kernels/coil_loops.h"

namespace spokelab {

// The power iterations of a pixel.
inline constexpr PowerLimits walshPower{50, 1e-5};

// The `count` dominant unit eigenvectors of the coils' covariance over all pixels (of many pixels:
// over some thousand of them), each turned so that the sum of its numbers is real and positive.
template <class Complex>
std::vector<std::vector<cdouble>> dominantCombinations(const Complex* images, int coils, std::int64_t pixels,
                                                       int count);
// The first of them.
template <class Complex>
std::vector<cdouble> dominantCombination(const Complex* images, int coils, std::int64_t pixels) {
  return dominantCombinations(images, coils, pixels, 1).front();
}

// Only the pixels [coil, pixel] that dominantCombinations() looks at: it has the same result for
// them as for all pixels.
Buffer<cfloat> somePixels(const cfloat* images, int coils, std::int64_t pixels);

// A tile of pixels in a row: x + i is its pixel i. Tiles at a row's end are padded with zeros.
template <class Real>
struct CovarianceTile {
  std::int64_t x = 0, y = 0, z = 0;
  int pixels = 0;
  const Real* traces = nullptr;   // [pixel], of R
  const Real* vectors = nullptr;  // [coil][plane][pixel]: unit vectors
};

// Calls `body` for all tiles of images [coil, z, y, x], on all cores. Blocks reach `half` pixels to
// either side and are cut at the image's edges. `scale`: images are multiplied by it first, so that
// squares of floats neither overflow nor vanish. `start`: first vector of the power iterations, and
// the result where the image is 0. Throws Cancelled.
template <class Real>
void forCovarianceTiles(const std::complex<Real>* images, int coils, const Index3& size, const Index3& half,
                        double scale, const std::vector<cdouble>& start, int threads,
                        const Progress& progress,
                        const std::function<void(const CovarianceTile<Real>&)>& body);

// 1 over the largest part of any number; 1 where all are 0.
template <class Complex>
double scaleToOne(const Complex* images, std::int64_t count, int threads);

}  // namespace spokelab
