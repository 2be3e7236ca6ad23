#include "engine/nufft/kernel/deapodization.h"

#include <array>
#include <cmath>
#include <numbers>

namespace spokelab {
namespace {

using std::numbers::pi;

// Nodes of a panel. A panel spans at most a radian of the transform's fastest oscillation, so the
// polynomial through 16 nodes is exact to rounding (its next coefficient is 4^-16 / 16! of the
// transform at 0).
constexpr std::size_t nodes = 16;
constexpr double radiansOfPanel = 1;

using Coefficients = std::array<double, nodes>;

// Coefficients of Chebyshev polynomials in t = -1 ... 1, for x = middle + reach t.
Coefficients fit(const Kernel& kernel, double middle, double reach, double grid) {
  std::array<double, nodes> value{};
  for (std::size_t i = 0; i < nodes; ++i)
    value[i] = kernel.transform((middle + reach * std::cos(pi * (double(i) + 0.5) / nodes)) / grid);
  Coefficients c{};
  for (std::size_t k = 0; k < nodes; ++k) {
    for (std::size_t i = 0; i < nodes; ++i)
      c[k] += 2.0 / nodes * value[i] * std::cos(pi * double(k) * (double(i) + 0.5) / nodes);
  }
  c[0] /= 2;
  return c;
}

// Clenshaw's sum.
double valueAt(const Coefficients& c, double t) {
  double last = 0, before = 0;
  for (std::size_t k = nodes; k-- > 1;) {
    const double next = 2 * t * last - before + c[k];
    before = last;
    last = next;
  }
  return t * last - before + c[0];
}

// The transform's values at x = 0 ... half.
std::vector<double> halfOf(const Kernel& kernel, std::int64_t half, double grid) {
  std::vector<double> transform(std::size_t(half) + 1);
  const double radians = pi * kernel.width() * double(half) / grid;
  const auto panels = std::int64_t(std::ceil(radians / radiansOfPanel));
  if (kernel.type() == KernelType::kaiserBessel || half <= 2 * panels * std::int64_t(nodes)) {
    for (std::int64_t x = 0; x <= half; ++x) transform[std::size_t(x)] = kernel.transform(double(x) / grid);
    return transform;
  }
  const double reach = double(half) / double(2 * panels);
  for (std::int64_t p = 0; p < panels; ++p) {
    const double middle = reach * double(2 * p + 1);
    const Coefficients c = fit(kernel, middle, reach, grid);
    const std::int64_t end = p + 1 < panels ? (p + 1) * half / panels : half + 1;
    for (std::int64_t x = p * half / panels; x < end; ++x)
      transform[std::size_t(x)] = valueAt(c, (double(x) - middle) / reach);
  }
  return transform;
}

}  // namespace

std::vector<double> deapodization(const Kernel& kernel, std::int64_t imageSize, std::int64_t gridSize) {
  const std::int64_t half = imageSize / 2;
  const std::vector<double> transform = halfOf(kernel, half, double(gridSize));
  std::vector<double> factor(static_cast<std::size_t>(imageSize));
  for (std::int64_t i = 0; i < imageSize; ++i)
    factor[std::size_t(i)] = 1 / transform[std::size_t(std::abs(i - half))];
  return factor;
}

}  // namespace spokelab
