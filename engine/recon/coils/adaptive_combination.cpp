#include "engine/recon/coils/adaptive_combination.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/core/hermitian.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr int maxPowerSteps = 50;                // of the power method, started with the pixel before
constexpr double powerTolerance = 1e-5;          // change of the unit vector at which it ends
constexpr std::int64_t covariancePixels = 4096;  // pixels that tell the whole image's covariance, about

template <class Complex>
class AdaptiveFilter {
 public:
  AdaptiveFilter(const Complex* images, int coils, const Index3& size, int block)
      : images_(images), n_(std::size_t(coils)), size_(size), pixels_(product(size)), half_(block / 2) {
    findReference();
  }

  // One row along x.
  void row(std::int64_t y, std::int64_t z, Complex* out) const {
    const std::size_t square = n_ * n_;
    const std::int64_t width = size_[0], ring = 2 * half_ + 1;
    std::vector<cdouble> columns(std::size_t(ring) * square), sum(square, 0.0), v = reference_, next(n_);
    const auto column = [&](std::int64_t x) { return columns.data() + std::size_t(x % ring) * square; };
    for (std::int64_t x = 0; x < std::min(half_, width); ++x) enter(x, y, z, column(x), sum);
    for (std::int64_t x = 0; x < width; ++x) {
      if (x - half_ - 1 >= 0) leave(column(x - half_ - 1), sum);
      if (x + half_ < width) enter(x + half_, y, z, column(x + half_), sum);
      out[x] = combined((z * size_[1] + y) * width + x, sum, v, next);
    }
  }

 private:
  cdouble at(std::size_t coil, std::int64_t pixel) const {
    return cdouble(images_[std::int64_t(coil) * pixels_ + pixel]);
  }

  void addOuter(std::int64_t pixel, cdouble* matrix) const {
    for (std::size_t a = 0; a < n_; ++a) {
      const cdouble c = at(a, pixel);
      for (std::size_t b = 0; b < n_; ++b) matrix[a * n_ + b] += c * std::conj(at(b, pixel));
    }
  }

  void findReference() {
    std::vector<cdouble> whole(n_ * n_, 0.0);
    const std::int64_t step = std::max<std::int64_t>(1, pixels_ / covariancePixels);
    for (std::int64_t p = 0; p < pixels_; p += step) addOuter(p, whole.data());
    const HermitianEigen eigen = hermitianEigen(whole, int(n_));
    reference_.assign(eigen.vectors.begin(), eigen.vectors.begin() + std::ptrdiff_t(n_));
  }

  // The column of the block at x comes into the sum, and is kept to leave it again.
  void enter(std::int64_t x, std::int64_t y, std::int64_t z, cdouble* column,
             std::vector<cdouble>& sum) const {
    std::fill_n(column, n_ * n_, cdouble(0));
    for (std::int64_t k = std::max<std::int64_t>(0, z - half_); k <= std::min(size_[2] - 1, z + half_); ++k)
      for (std::int64_t j = std::max<std::int64_t>(0, y - half_); j <= std::min(size_[1] - 1, y + half_); ++j)
        addOuter((k * size_[1] + j) * size_[0] + x, column);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += column[i];
  }

  static void leave(const cdouble* column, std::vector<cdouble>& sum) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] -= column[i];
  }

  Complex combined(std::int64_t pixel, const std::vector<cdouble>& r, std::vector<cdouble>& v,
                   std::vector<cdouble>& next) const {
    for (int iteration = 0; iteration < maxPowerSteps; ++iteration) {
      double norm = 0;
      for (std::size_t a = 0; a < n_; ++a) {
        next[a] = 0;
        for (std::size_t b = 0; b < n_; ++b) next[a] += r[a * n_ + b] * v[b];
        norm += std::norm(next[a]);
      }
      if (!(norm > 0)) {  // nothing there, or a start at right angles to all there is
        v = reference_;
        break;
      }
      const double scale = 1 / std::sqrt(norm);
      double change = 0;
      for (std::size_t a = 0; a < n_; ++a) {
        next[a] *= scale;
        change += std::norm(next[a] - v[a]);
      }
      v.swap(next);
      if (change < powerTolerance * powerTolerance) break;
    }
    cdouble seen = 0, sum = 0;
    for (std::size_t a = 0; a < n_; ++a) {
      seen += std::conj(reference_[a]) * v[a];
      sum += std::conj(v[a]) * at(a, pixel);
    }
    const double size = std::abs(seen);
    return Complex(size > 0 ? sum * seen / size : sum);
  }

  const Complex* images_;
  std::size_t n_;
  Index3 size_;
  std::int64_t pixels_, half_;
  std::vector<cdouble> reference_;
};

}  // namespace

int defaultWalshBlock(int dims) {
  constexpr int blockPixels2d = 9, blockPixels3d = 5;
  return dims == 3 ? blockPixels3d : blockPixels2d;
}

template <class Real>
void combineAdaptively(const std::complex<Real>* images, int coils, const Index3& size, int block,
                       int threads, std::complex<Real>* out, const Progress& progress) {
  const AdaptiveFilter<std::complex<Real>> combination(images, coils, size, block);
  parallelTasks(size[1] * size[2], threads, [&](std::int64_t row) {
    progress.checkpoint();
    combination.row(row % size[1], row / size[1], out + row * size[0]);
  });
}

template void combineAdaptively(const cfloat*, int, const Index3&, int, int, cfloat*, const Progress&);
template void combineAdaptively(const cdouble*, int, const Index3&, int, int, cdouble*, const Progress&);

}  // namespace spokelab
