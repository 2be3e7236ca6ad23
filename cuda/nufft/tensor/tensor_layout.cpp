#include "cuda/nufft/tensor/tensor_layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "cuda/nufft/tensor/tensor_launch.h"

namespace spokelab::gpu {
namespace {

// Interpolates phi at the Chebyshev nodes of q in [0, 1] and rewrites the result in powers of q,
// highest first. The powers' coefficients of a Kaiser-Bessel kernel are positive, so Horner's rule
// loses nothing; the conversion does, and is made in long double.
std::vector<double> powersOfQ(const Kernel& kernel, int terms) {
  const auto phi = [&](long double q) {
    return static_cast<long double>(kernel(0.5 * kernel.width() * std::sqrt(std::max(0.0, double(1 - q)))));
  };
  std::vector<long double> value(terms);
  // T_i(2q - 1) in powers of q, lowest first.
  std::vector<std::vector<long double>> basis{{1}, {-1, 2}};
  for (int i = 2; i < terms; ++i) {
    std::vector<long double> next(i + 1, 0);
    for (int p = 0; p < i; ++p) {
      next[p + 1] += 4 * basis[i - 1][p];
      next[p] -= 2 * basis[i - 1][p];
    }
    for (int p = 0; p < i - 1; ++p) next[p] -= basis[i - 2][p];
    basis.push_back(next);
  }
  const long double pi = std::numbers::pi_v<long double>;
  for (int n = 0; n < terms; ++n) value[n] = phi((1 + std::cos(pi * (n + 0.5L) / terms)) / 2);
  std::vector<long double> power(terms, 0);
  for (int i = 0; i < terms; ++i) {
    long double c = 0;
    for (int n = 0; n < terms; ++n) c += value[n] * std::cos(pi * i * (n + 0.5L) / terms);
    c *= (i == 0 ? 1.0L : 2.0L) / terms;
    for (int p = 0; p <= i; ++p) power[p] += c * basis[i][p];
  }
  return {power.rbegin(), power.rend()};
}

}  // namespace

bool isEntire(KernelType kernel) {
  return kernel == KernelType::kaiserBessel || kernel == KernelType::prolate;
}

template <class Real>
bool tensorSupports(int dims, const Index3& grid, KernelType kernel, double width, std::int64_t points) {
  constexpr auto& widths = sizeof(Real) == 4 ? tensorWidthsFloat : tensorWidthsDouble;
  const int cells = int(std::ceil(width));
  return (dims == 2 || dims == 3) && isEntire(kernel) && cells >= widths[0] && cells <= widths[1] &&
         grid[0] >= tensorColumn && grid[1] >= tensorColumn && (sizeof(Real) == 8 || grid[0] % 2 == 0) &&
         (dims == 2 || grid[2] >= cells) && points < maxTensorPoints;
}

template <class Real>
TensorLayout<Real> tensorLayout(int dims, const Index3& grid, const Kernel& kernel, bool half) {
  TensorLayout<Real> l;
  l.dims = dims;
  l.gridX = int(grid[0]);
  l.gridY = int(grid[1]);
  l.gridZ = dims == 3 ? int(grid[2]) : 1;
  l.cells = kernel.cells();
  // First cells whose kernels stay inside the column.
  const int owned = tensorColumn - l.cells + 1;
  // Even in float, because 16-byte reductions start at whole pairs of cells.
  l.blockX = sizeof(Real) == 4 ? owned & ~1 : owned;
  l.blockY = owned;
  l.columnsX = (l.gridX + l.blockX - 1) / l.blockX;
  l.columnsY = (l.gridY + l.blockY - 1) / l.blockY;
  l.width = kernel.width();
  l.step = Real(2 / kernel.width());
  l.half = half && sizeof(Real) == 4;
  l.terms = tensorTerms<Real>(l.cells, l.half);
  const std::vector<double> power = powersOfQ(kernel, l.terms);
  for (int i = 0; i < l.terms; ++i) l.coefficient[i] = Real(power[i]);
  return l;
}

template bool tensorSupports<float>(int, const Index3&, KernelType, double, std::int64_t);
template bool tensorSupports<double>(int, const Index3&, KernelType, double, std::int64_t);
template TensorLayout<float> tensorLayout<float>(int, const Index3&, const Kernel&, bool);
template TensorLayout<double> tensorLayout<double>(int, const Index3&, const Kernel&, bool);

}  // namespace spokelab::gpu
