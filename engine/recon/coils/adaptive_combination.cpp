#include "engine/recon/coils/adaptive_combination.h"

#include <cmath>
#include <vector>

#include "engine/recon/coils/local_covariance.h"

namespace spokelab {
int defaultWalshBlock(int dims) {
  constexpr int blockPixels2d = 9, blockPixels3d = 5;
  return dims == 3 ? blockPixels3d : blockPixels2d;
}

template <class Real>
void combineAdaptively(const std::complex<Real>* images, int coils, const Index3& size, int block,
                       int threads, std::complex<Real>* out, const Progress& progress) {
  const std::int64_t pixels = product(size), half = block / 2;
  const std::vector<cdouble> reference = dominantCombination(images, coils, pixels);
  const auto combine = [&](const CovarianceTile<Real>& tile) {
    const std::int64_t first = (tile.z * size[1] + tile.y) * size[0] + tile.x;
    for (std::int64_t i = 0; i < tile.pixels; ++i) {
      cdouble seen = 0, sum = 0;
      for (std::int64_t c = 0; c < coils; ++c) {
        const Real* v = tile.vectors + 2 * c * pixelTile + i;
        const cdouble part(v[0], v[pixelTile]);
        seen += std::conj(reference[std::size_t(c)]) * part;
        sum += std::conj(part) * cdouble(images[c * pixels + first + i]);
      }
      const double length = std::abs(seen);
      out[first + i] = std::complex<Real>(length > 0 ? sum * seen / length : sum);
    }
  };
  forCovarianceTiles<Real>(images, coils, size, {half, half, half},
                           scaleToOne(images, pixels * coils, threads), reference, threads, progress,
                           combine);
}

template void combineAdaptively(const cfloat*, int, const Index3&, int, int, cfloat*, const Progress&);
template void combineAdaptively(const cdouble*, int, const Index3&, int, int, cdouble*, const Progress&);

}  // namespace spokelab
