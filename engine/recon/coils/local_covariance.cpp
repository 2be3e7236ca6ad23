#include "engine/recon/coils/local_covariance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "engine/core/hermitian.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t covariancePixels = 4096;  // pixels that tell the whole image's covariance, about
constexpr std::int64_t pixelsPerTask = 256;      // of those
constexpr std::int64_t covariancesPerTask = 1 << 16;

// A row of tiles: sums over y and z of each column's outer products, then sums along x.
template <class Real>
class CovarianceRow {
 public:
  CovarianceRow(const std::complex<Real>* images, int coils, const Index3& size, const Index3& half,
                double scale, const std::vector<cdouble>& start)
      : images_(images),
        coils_(coils),
        size_(size),
        half_(half),
        scale_(Real(scale)),
        margin_((half[0] + pixelTile - 1) / pixelTile),
        planes_(2 * coilPairs(coils)),
        width_((2 * margin_ + 1) * pixelTile),
        start_(std::size_t(2 * coils * pixelTile)),
        values_(start_.size()),
        vectors_(start_.size()),
        work_(start_.size()),
        column_(std::size_t(planes_ * pixelTile)),
        matrices_(column_.size()),
        columns_(std::size_t(planes_ * width_)) {
    for (std::size_t c = 0; c < std::size_t(coils); ++c) {
      std::fill_n(start_.begin() + std::ptrdiff_t(2 * c * pixelTile), pixelTile, Real(start[c].real()));
      std::fill_n(start_.begin() + std::ptrdiff_t((2 * c + 1) * pixelTile), pixelTile, Real(start[c].imag()));
    }
  }

  template <class Body>
  void run(std::int64_t y, std::int64_t z, const Progress& progress, const Body& body) {
    const std::int64_t tiles = (size_[0] + pixelTile - 1) / pixelTile;
    std::fill(columns_.begin(), columns_.end(), Real(0));
    for (std::int64_t t = 0; t < margin_; ++t) enter(t, y, z);
    for (std::int64_t t = 0; t < tiles; ++t) {
      progress.checkpoint();
      enter(t + margin_, y, z);
      loops_.boxSum(planes_, width_, margin_ * pixelTile, int(half_[0]), columns_.data(), matrices_.data());
      std::array<Real, pixelTile> traces{}, eigenvalues{};
      for (int a = 0; a < coils_; ++a) {
        const Real* m = matrices_.data() + 2 * std::ptrdiff_t(coilPairs(a + 1) - 1) * pixelTile;
        for (std::size_t i = 0; i < pixelTile; ++i) traces[i] += m[i];
      }
      std::copy(start_.begin(), start_.end(), vectors_.begin());
      loops_.leading(coils_, walshPower, matrices_.data(), vectors_.data(), eigenvalues.data(), work_.data());
      body({t * pixelTile, y, z, int(std::min<std::int64_t>(pixelTile, size_[0] - t * pixelTile)),
            traces.data(), vectors_.data()});
    }
  }

 private:
  // Moves the columns on by one tile, and adds tile `t` at their end.
  void enter(std::int64_t t, std::int64_t y, std::int64_t z) {
    std::fill(column_.begin(), column_.end(), Real(0));
    if (t * pixelTile < size_[0])
      for (std::int64_t k = std::max<std::int64_t>(0, z - half_[2]);
           k <= std::min(size_[2] - 1, z + half_[2]); ++k)
        for (std::int64_t j = std::max<std::int64_t>(0, y - half_[1]);
             j <= std::min(size_[1] - 1, y + half_[1]); ++j)
          addPixels(t * pixelTile, (k * size_[1] + j) * size_[0]);
    for (std::int64_t p = 0; p < planes_; ++p) {
      Real* row = columns_.data() + p * width_;
      std::copy(row + pixelTile, row + width_, row);
      std::copy_n(column_.data() + p * pixelTile, pixelTile, row + width_ - pixelTile);
    }
  }

  void addPixels(std::int64_t x, std::int64_t row) {
    const std::int64_t count = std::min<std::int64_t>(pixelTile, size_[0] - x), pixels = product(size_);
    for (std::int64_t c = 0; c < coils_; ++c) {
      const std::complex<Real>* in = images_ + c * pixels + row + x;
      Real *re = values_.data() + 2 * c * pixelTile, *im = re + pixelTile;
      for (std::int64_t i = 0; i < count; ++i) {
        re[i] = in[i].real() * scale_;
        im[i] = in[i].imag() * scale_;
      }
      std::fill(re + count, re + pixelTile, Real(0));
      std::fill(im + count, im + pixelTile, Real(0));
    }
    loops_.addOuter(coils_, values_.data(), column_.data());
  }

  const CoilLoops<Real>& loops_ = coilLoops<Real>();
  const std::complex<Real>* images_;
  int coils_;
  Index3 size_, half_;
  Real scale_;
  std::int64_t margin_;  // tiles to either side that the block reaches into
  int planes_;
  std::int64_t width_;
  Buffer<Real> start_, values_, vectors_, work_, column_, matrices_, columns_;
};

}  // namespace

namespace {

std::int64_t pixelStep(std::int64_t pixels) {
  return std::max<std::int64_t>(1, pixels / covariancePixels);
}

// The coils' covariance of every `step`th pixel: real, then imaginary parts, each [coil, coil].
template <class Complex>
std::vector<double> covarianceOf(const Complex* images, std::size_t coils, std::int64_t pixels,
                                 std::int64_t begin, std::int64_t end, std::int64_t step) {
  std::vector<double> sums(2 * coils * coils, 0.0), re(coils), im(coils);
  for (std::int64_t p = begin; p < end; p += step) {
    for (std::size_t c = 0; c < coils; ++c) {
      const cdouble value(images[std::int64_t(c) * pixels + p]);
      re[c] = value.real();
      im[c] = value.imag();
    }
    for (std::size_t a = 0; a < coils; ++a) {
      double *sumRe = sums.data() + a * coils, *sumIm = sumRe + coils * coils;
      const double x = re[a], y = im[a];
      for (std::size_t b = 0; b < coils; ++b) {
        sumRe[b] += x * re[b] + y * im[b];
        sumIm[b] += y * re[b] - x * im[b];
      }
    }
  }
  return sums;
}

}  // namespace

Buffer<cfloat> somePixels(const cfloat* images, int coils, std::int64_t pixels) {
  const std::int64_t step = pixelStep(pixels), some = (pixels + step - 1) / step;
  Buffer<cfloat> taken(std::size_t(some * coils));
  parallelTasks(coils, 0, [&](std::int64_t c) {
    for (std::int64_t p = 0; p < some; ++p) taken[std::size_t(c * some + p)] = images[c * pixels + p * step];
  });
  return taken;
}

template <class Complex>
std::vector<std::vector<cdouble>> dominantCombinations(const Complex* images, int coils, std::int64_t pixels,
                                                       int count) {
  const auto n = std::size_t(coils);
  const std::int64_t step = pixelStep(pixels), chunk = step * pixelsPerTask;
  std::vector<std::vector<double>> parts(std::size_t((pixels + chunk - 1) / chunk));
  parallelTasks(std::int64_t(parts.size()), 0, [&](std::int64_t t) {
    parts[std::size_t(t)] =
        covarianceOf(images, n, pixels, t * chunk, std::min(pixels, (t + 1) * chunk), step);
  });
  std::vector<cdouble> covariance(n * n, 0.0);
  for (const std::vector<double>& part : parts)  // in one order, whatever the threads did
    for (std::size_t i = 0; i < n * n; ++i) covariance[i] += cdouble(part[i], part[n * n + i]);
  const HermitianEigen eigen = hermitianEigen(covariance, coils);
  std::vector<std::vector<cdouble>> found;
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    const auto begin = eigen.vectors.begin() + k * std::ptrdiff_t(n);
    std::vector<cdouble> v(begin, begin + std::ptrdiff_t(n));
    cdouble sum = 0;
    for (const cdouble& x : v) sum += x;
    const double size = std::abs(sum);
    if (size > 0)
      for (cdouble& x : v) x *= std::conj(sum) / size;
    found.push_back(std::move(v));
  }
  return found;
}

template <class Real>
void forCovarianceTiles(const std::complex<Real>* images, int coils, const Index3& size, const Index3& half,
                        double scale, const std::vector<cdouble>& start, int threads,
                        const Progress& progress,
                        const std::function<void(const CovarianceTile<Real>&)>& body) {
  parallelTasks(size[1] * size[2], threads, [&](std::int64_t task) {
    CovarianceRow<Real> row(images, coils, size, half, scale, start);
    row.run(task % size[1], task / size[1], progress, body);
  });
}

template <class Complex>
double scaleToOne(const Complex* images, std::int64_t count, int threads) {
  double largest = 0;
  std::mutex guard;
  parallelFor(count, threads, covariancesPerTask, [&](std::int64_t begin, std::int64_t end) {
    double most = 0;
    for (std::int64_t i = begin; i < end; ++i)
      most = std::max({most, std::abs(double(images[i].real())), std::abs(double(images[i].imag()))});
    const std::lock_guard lock(guard);
    largest = std::max(largest, most);
  });
  return largest > 0 ? 1 / largest : 1;
}

template std::vector<std::vector<cdouble>> dominantCombinations(const cfloat*, int, std::int64_t, int);
template std::vector<std::vector<cdouble>> dominantCombinations(const cdouble*, int, std::int64_t, int);
template void forCovarianceTiles(const cfloat*, int, const Index3&, const Index3&, double,
                                 const std::vector<cdouble>&, int, const Progress&,
                                 const std::function<void(const CovarianceTile<float>&)>&);
template void forCovarianceTiles(const cdouble*, int, const Index3&, const Index3&, double,
                                 const std::vector<cdouble>&, int, const Progress&,
                                 const std::function<void(const CovarianceTile<double>&)>&);
template double scaleToOne(const cfloat*, std::int64_t, int);
template double scaleToOne(const cdouble*, std::int64_t, int);

}  // namespace spokelab
