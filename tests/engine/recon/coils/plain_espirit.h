// ESPIRiT by plain sums in double precision, and images to try it on.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "engine/core/hermitian.h"
#include "engine/recon/coils/calibration_operator.h"
#include "engine/recon/coils/centre_images.h"
#include "engine/scan/simulate/phantom.h"
#include "engine/scan/simulate/phantom_models.h"
#include "engine/scan/simulate/random_numbers.h"

namespace spokelab::test {

using Values = std::vector<cdouble>;

// Images of a disc seen by model coils, with some noise, through the window of the centre.
inline CentreImages discImages(int dims, int coils, std::int64_t n, double noise, int calibration) {
  Phantom phantom;
  PhantomShape disc;
  disc.semiAxes = {0.35, 0.4, dims == 3 ? 0.3 : 0};
  disc.value = std::polar(1.0, 0.8);
  phantom.shapes = {disc};
  phantom.coils = modelCoils(dims, coils);
  CentreImages centre;
  centre.size = {n, n, dims == 3 ? n : 1};
  for (int c = 0; c < coils; ++c) {
    const Image image = phantomImage(phantom, centre.size, c);
    Values values;
    for (std::size_t i = 0; i < image.data.size(); ++i)
      values.push_back(cdouble(image.data[i]) + noise * complexNormal(std::uint64_t(c), i));
    // Low-pass, one axis after the other: sum over k below calibration/2 of the Hann window.
    for (std::size_t d = 0; d < std::size_t(dims); ++d) {
      std::int64_t stride = 1;
      for (std::size_t e = 0; e < d; ++e) stride *= n;
      Values kernel(std::size_t(n), 0.0);
      for (std::int64_t x = 0; x < n; ++x)
        for (int k = -calibration / 2 + 1; k < calibration / 2; ++k)
          kernel[std::size_t(x)] += (0.5 + 0.5 * std::cos(2 * std::numbers::pi * k / calibration)) /
                                    double(n) *
                                    std::polar(1.0, 2 * std::numbers::pi * double(k * x) / double(n));
      Values smooth(values.size(), 0.0);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int64_t x = std::int64_t(i) / stride % n, base = std::int64_t(i) - x * stride;
        for (std::int64_t y = 0; y < n; ++y)
          smooth[i] += kernel[std::size_t((x - y + n) % n)] * values[std::size_t(base + y * stride)];
      }
      values = smooth;
    }
    for (const cdouble& v : values) centre.images.push_back(cfloat(v));
  }
  return centre;
}

// ESPIRiT by plain sums in double precision: the whole calibration matrix, its projection, and the
// operator at one pixel.
class PlainEspirit {
 public:
  PlainEspirit(const CalibrationData& data, const Index3& width) : coils_(data.coils), width_(width) {
    const std::int64_t cells = product(width), columns = cells * coils_;
    const auto n = std::size_t(columns);
    Values gram(n * n, 0.0);
    for (std::int64_t z = 0; z + width[2] <= data.size[2]; ++z)
      for (std::int64_t y = 0; y + width[1] <= data.size[1]; ++y)
        for (std::int64_t x = 0; x + width[0] <= data.size[0]; ++x) {
          Values row;
          for (int c = 0; c < coils_; ++c)
            for (std::int64_t k = 0; k < width[2]; ++k)
              for (std::int64_t j = 0; j < width[1]; ++j)
                for (std::int64_t i = 0; i < width[0]; ++i)
                  row.emplace_back(data.values[std::size_t(
                      ((c * data.size[2] + z + k) * data.size[1] + y + j) * data.size[0] + x + i)]);
          for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = 0; b < n; ++b) gram[a * n + b] += std::conj(row[a]) * row[b];
        }
    const HermitianEigen eigen = hermitianEigen(gram, int(columns));
    while (rank_ < columns && eigen.values[std::size_t(rank_)] >= 1e-3 * eigen.values[0]) ++rank_;
    vectors_ = eigen.vectors;
  }

  std::int64_t rank() const { return rank_; }

  // The leading eigenvector (rank 0), or another; place in fields of view.
  Values at(const Vec3& place, double& eigenvalue, double& second, int rank = 0) const {
    const std::int64_t cells = product(width_);
    const auto n = std::size_t(coils_);
    Values h(n * n, 0.0);
    for (std::int64_t r = 0; r < rank_; ++r) {
      Values u(n, 0.0);
      for (std::int64_t c = 0; c < coils_; ++c)
        for (std::int64_t a = 0; a < cells; ++a) {
          const double turns = double(a % width_[0]) * place[0] +
                               double(a / width_[0] % width_[1]) * place[1] +
                               double(a / width_[0] / width_[1]) * place[2];
          u[std::size_t(c)] += std::conj(vectors_[std::size_t((r * coils_ + c) * cells + a)]) *
                               std::polar(1.0, 2 * std::numbers::pi * turns);
        }
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) h[a * n + b] += u[a] * std::conj(u[b]) / double(cells);
    }
    const HermitianEigen eigen = hermitianEigen(h, coils_);
    eigenvalue = eigen.values[0];
    second = eigen.values[1];
    const auto begin = eigen.vectors.begin() + std::ptrdiff_t(rank) * coils_;
    return {begin, begin + coils_};
  }

 private:
  int coils_;
  Index3 width_;
  std::int64_t rank_ = 0;
  Values vectors_;
};

// Whether maps [coil, pixel] are not 0 there.
inline bool isKept(const std::vector<cfloat>& maps, std::int64_t pixels, std::int64_t i, int coils) {
  double square = 0;
  for (std::int64_t c = 0; c < coils; ++c) square += std::norm(maps[std::size_t(c * pixels + i)]);
  return square > 0.5;
}

}  // namespace spokelab::test
