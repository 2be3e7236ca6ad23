#include "engine/recon/explore/pixel/main_lobe.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace spokelab {
namespace {

constexpr int finePerPixel = 16, lobeReach = 16;  // steps, and pixels from the peak

std::int64_t placeOf(const Image& image, const Index3& at) {
  return (at[2] * image.size[1] + at[1]) * image.size[0] + at[0];
}

// |p| from the peak on, in steps of 1 / finePerPixel, from the line's Fourier coefficients.
std::vector<double> alongLine(const Image& image, const Index3& peak, std::size_t axis, int direction) {
  const std::int64_t n = image.size[axis];
  const double turn = 2 * std::numbers::pi / double(n);
  std::vector<cdouble> coefficients;
  const std::int64_t first = -(n / 2);
  for (std::int64_t k = first; k < first + n; ++k) {
    cdouble sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      Index3 at = peak;
      at[axis] = i;
      sum += cdouble(image.data[std::size_t(placeOf(image, at))]) *
             std::polar(1.0, -turn * double((k * (i - peak[axis])) % n));
    }
    coefficients.push_back(sum / double(n));
  }
  const std::int64_t reach = std::min<std::int64_t>(lobeReach, n / 2);
  std::vector<double> sizes;
  for (std::int64_t step = 0; step <= reach * finePerPixel; ++step) {
    cdouble sum = 0;
    for (std::int64_t k = 0; k < n; ++k)
      sum += coefficients[std::size_t(k)] *
             std::polar(1.0, direction * turn * double(first + k) * double(step) / finePerPixel);
    sizes.push_back(std::abs(sum));
  }
  return sizes;
}

struct HalfLobe {
  double half = 0;  // pixels to half the height; 0: not within reach
  double radius = lobeReach;
};

HalfLobe halfLobe(const std::vector<double>& sizes) {
  HalfLobe lobe;
  std::size_t i = 1;
  while (i < sizes.size() && sizes[i] > sizes[0] / 2) ++i;
  if (i >= sizes.size()) return lobe;
  lobe.half = (double(i - 1) + (sizes[i - 1] - sizes[0] / 2) / (sizes[i - 1] - sizes[i])) / finePerPixel;
  while (i + 1 < sizes.size() && sizes[i + 1] < sizes[i]) ++i;
  lobe.radius = double(i) / finePerPixel;
  return lobe;
}

}  // namespace

MainLobe mainLobeOf(const Image& spread, int dims) {
  MainLobe lobe;
  const auto largest =
      std::max_element(spread.data.begin(), spread.data.end(),
                       [](const cfloat& a, const cfloat& b) { return std::norm(a) < std::norm(b); });
  const std::int64_t place = largest - spread.data.begin(), row = spread.size[0] * spread.size[1];
  lobe.peak = {place % spread.size[0], place / spread.size[0] % spread.size[1], place / row};
  lobe.height = std::abs(*largest);
  if (!(lobe.height > 0)) return lobe;
  Vec3 radius{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(dims); ++d) {
    if (spread.size[d] < 2) continue;
    const HalfLobe up = halfLobe(alongLine(spread, lobe.peak, d, 1)),
                   down = halfLobe(alongLine(spread, lobe.peak, d, -1));
    if (up.half > 0 && down.half > 0) lobe.fwhm[d] = up.half + down.half;
    radius[d] = std::max(up.radius, down.radius);
  }
  float side = 0;
  std::size_t i = 0;
  for (std::int64_t z = 0; z < spread.size[2]; ++z)
    for (std::int64_t y = 0; y < spread.size[1]; ++y)
      for (std::int64_t x = 0; x < spread.size[0]; ++x, ++i) {
        const Vec3 from{double(x - lobe.peak[0]), double(y - lobe.peak[1]), double(z - lobe.peak[2])};
        double distance = 0;
        for (std::size_t d = 0; d < std::size_t(dims); ++d)
          distance += from[d] * from[d] / (radius[d] * radius[d]);
        if (distance <= 1 || !(std::abs(spread.data[i]) > side)) continue;
        side = std::abs(spread.data[i]);
        lobe.sideLobeAt = from;
      }
  lobe.sideLobe = double(side) / lobe.height;
  return lobe;
}

}  // namespace spokelab
