#include "cuda/nufft/tensor/tensor_layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "cuda/nufft/tensor/tensor_launch.h"

namespace spokelab::gpu {
namespace {

// Interpolates f at the Chebyshev nodes of [first, last]: in powers of its argument, lowest first.
template <class F>
std::vector<long double> interpolated(const F& f, long double first, long double last, int terms) {
  const long double middle = (first + last) / 2, half = (last - first) / 2,
                    pi = std::numbers::pi_v<long double>;
  std::vector<long double> value(terms), power(terms, 0), before, basis{1};
  for (int n = 0; n < terms; ++n) value[n] = f(middle + half * std::cos(pi * (n + 0.5L) / terms));
  for (int i = 0; i < terms; ++i) {
    long double c = 0;
    for (int n = 0; n < terms; ++n) c += value[n] * std::cos(pi * i * (n + 0.5L) / terms);
    c *= (i == 0 ? 1.0L : 2.0L) / terms;
    for (int m = 0; m <= i; ++m) power[m] += c * basis[m];
    // The next Chebyshev polynomial, by its recurrence.
    std::vector<long double> next(basis.size() + 1, 0);
    const long double factor = i == 0 ? 1 : 2;
    for (std::size_t m = 0; m < basis.size(); ++m) {
      next[m + 1] += factor * basis[m] / half;
      next[m] -= factor * basis[m] * middle / half;
    }
    for (std::size_t m = 0; m < before.size(); ++m) next[m] -= before[m];
    before = std::exchange(basis, next);
  }
  return power;
}

// phi in powers of q on [0, 1], highest first. The powers' coefficients of a Kaiser-Bessel kernel
// are positive, so Horner's rule loses nothing; the conversion does, and is made in long double.
std::vector<double> powersOfQ(const Kernel& kernel, int terms) {
  const auto phi = [&](long double q) {
    return static_cast<long double>(kernel(0.5 * kernel.width() * std::sqrt(std::max(0.0, double(1 - q)))));
  };
  const std::vector<long double> power = interpolated(phi, 0, 1, terms);
  return {power.rbegin(), power.rend()};
}

// The kernel at the right cell of each pair, in powers of x, lowest first. The outermost ends where
// the kernel does.
std::vector<double> cellPolynomials(const Kernel& kernel, int terms) {
  const int cells = kernel.cells();
  std::vector<double> all;
  for (int p = 0; p < (cells + 1) / 2; ++p) {
    const long double centre = (cells - 1) / 2.0L - p;
    const std::vector<long double> power =
        interpolated([&](long double x) { return static_cast<long double>(kernel(double(centre + x))); },
                     -0.5L, std::min(0.5L, kernel.width() / 2 - centre), terms);
    // The middle cell of an odd number is a pair by itself, and even.
    for (int m = 0; m < terms; ++m) all.push_back(centre == 0 && m % 2 == 1 ? 0.0 : double(power[m]));
  }
  return all;
}

// Nanoseconds of a column that has points, and of a point: measured on an H100 in double with 10 to
// 12 cells, 0.04 to 0.6 points a cell, spreading (interpolation takes a little less of each).
struct ColumnTimes {
  double column, point;
};
constexpr ColumnTimes narrowTimes{3.35, 0.08}, wideTimes{6.6, 0.2};

// The number of first cells whose kernel is inside a column of `column` cells.
int ownedCells(int column, int cells) {
  return column - cells + 1;
}

template <class Real>
double timeOfPoints(const TensorLayout<Real>& l, int column, const ColumnTimes& t, std::int64_t points) {
  const double owned = ownedCells(column, l.cells), columns = double(l.gridCells()) / (owned * owned);
  return t.column * std::min(double(points), columns) + t.point * double(points);
}

template <class Real>
bool hasColumn(int dims, const Index3& grid, int cells, int column) {
  return cells < column && grid[0] >= column && grid[1] >= column &&
         (column == tensorColumn || hasWideColumns<Real>(dims, cells));
}

template <class Real>
int columnFor(const TensorLayout<Real>& l, std::int64_t points) {
  const Index3 grid{l.gridX, l.gridY, l.gridZ};
  if (!hasColumn<Real>(l.dims, grid, l.cells, wideTensorColumn)) return tensorColumn;
  if (!hasColumn<Real>(l.dims, grid, l.cells, tensorColumn)) return wideTensorColumn;
  return timeOfPoints(l, tensorColumn, narrowTimes, points) <
                 timeOfPoints(l, wideTensorColumn, wideTimes, points)
             ? tensorColumn
             : wideTensorColumn;
}

// Points of a column and z cell, on average, from which two classes pay: products of 16 points are
// full more rarely. With 17 to 19 points (H100) type 1 took 1 to 10 % less time, type 2 2 to 4 %
// more, and setting points 7 %.
constexpr std::int64_t minPointsForClasses = 24;

}  // namespace

bool isEntire(KernelType kernel) {
  return kernel == KernelType::kaiserBessel || kernel == KernelType::prolate;
}

template <class Real>
bool tensorSupports(int dims, const Index3& grid, KernelType kernel, double width, std::int64_t points) {
  constexpr auto& widths = sizeof(Real) == 4 ? tensorWidthsFloat : tensorWidthsDouble;
  const int cells = int(std::ceil(width));
  return (dims == 2 || dims == 3) && isEntire(kernel) && cells >= widths[0] && cells <= widths[1] &&
         (hasColumn<Real>(dims, grid, cells, tensorColumn) ||
          hasColumn<Real>(dims, grid, cells, wideTensorColumn)) &&
         (sizeof(Real) == 8 || grid[0] % 2 == 0) && (dims == 2 || grid[2] >= cells) &&
         points < maxTensorPoints;
}

template <class Real>
void arrangeColumns(TensorLayout<Real>& l, std::int64_t points) {
  l.column = columnFor(l, points);
  const int owned = ownedCells(l.column, l.cells);
  // Even in float, because 16-byte reductions start at whole pairs of cells.
  l.blockX = sizeof(Real) == 4 ? owned & ~1 : owned;
  l.blockY = owned;
  l.columnsX = (l.gridX + l.blockX - 1) / l.blockX;
  l.columnsY = (l.gridY + l.blockY - 1) / l.blockY;
  const bool pays = points >= minPointsForClasses * l.columns() * l.gridZ;
  l.classes = pays && hasClasses<Real>(l.dims, l.cells) ? 2 : 1;
}

template <class Real>
TensorLayout<Real> tensorLayout(int dims, const Index3& grid, const Kernel& kernel, bool half) {
  TensorLayout<Real> l;
  l.dims = dims;
  l.gridX = int(grid[0]);
  l.gridY = int(grid[1]);
  l.gridZ = dims == 3 ? int(grid[2]) : 1;
  l.cells = kernel.cells();
  arrangeColumns(l, 0);
  l.width = kernel.width();
  l.step = Real(2 / kernel.width());
  l.half = half && sizeof(Real) == 4;
  const int terms = tensorTerms<Real>(l.cells, l.half);
  const std::vector<double> all =
      sizeof(Real) == 8 ? cellPolynomials(kernel, terms) : powersOfQ(kernel, terms);
  l.coefficient.assign(all.begin(), all.end());
  return l;
}

template bool tensorSupports<float>(int, const Index3&, KernelType, double, std::int64_t);
template bool tensorSupports<double>(int, const Index3&, KernelType, double, std::int64_t);
template void arrangeColumns(TensorLayout<float>&, std::int64_t);
template void arrangeColumns(TensorLayout<double>&, std::int64_t);
template TensorLayout<float> tensorLayout<float>(int, const Index3&, const Kernel&, bool);
template TensorLayout<double> tensorLayout<double>(int, const Index3&, const Kernel&, bool);

}  // namespace spokelab::gpu
