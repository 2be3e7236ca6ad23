#include "engine/nufft/spread/kernels/kernel_source.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr int minDensity = 16, maxDensity = 1 << 20;
constexpr double densitySafety = 1.02, densityGrowth = 1.3;
// Fractions at which a table is checked; shares no divisor with a density.
constexpr int checkPoints = 499;

}  // namespace

double linearTableDensity(const Kernel& kernel, double tolerance) {
  // Lines between values h apart are off by |phi''| h^2 / sqrt(120), root mean square.
  const double curveFactor = std::sqrt(2.0 / 120), step = 1e-3, half = 0.5 * kernel.width();
  constexpr int places = 32;  // of a cell
  double worst = 0;
  for (int j = 0; j < kernel.cells(); ++j) {
    double square = 0;
    for (int i = 0; i < places; ++i) {
      const double u = j + (i + 0.5) / places - half;
      if (u - step < -half || u + step > half) continue;
      const double curve = (kernel(u - step) - 2 * kernel(u) + kernel(u + step)) / (step * step);
      square += curve * curve / places;
    }
    worst = std::max(worst, std::sqrt(square));
  }
  return std::sqrt(curveFactor * worst / tolerance);
}

template <class Real>
KernelSource<Real>::KernelSource(const Kernel& kernel, const KernelPolynomial& polynomial,
                                 Precomputation precomputation, double tolerance)
    : kernel_(kernel),
      polynomial_(polynomial),
      precomputation_(precomputation),
      cells_(kernel.cells()),
      deviation_(precomputation == Precomputation::none ? 0 : polynomial.deviation) {
  if (precomputation != Precomputation::linear) return;
  density_ = minDensity;
  deviation_ = tableDeviation();
  // The deviation falls as 1/S^2 everywhere but in the interval of the kernel's edge.
  double density = densitySafety * minDensity * std::sqrt(deviation_ / tolerance);
  while (deviation_ > tolerance) {
    if (!(density <= maxDensity)) {
      throw Error("Cannot plan the transform",
                  "a linear table would need more than " + std::to_string(maxDensity) + " values a cell",
                  "Choose polynomials, or ask for less accuracy");
    }
    density_ = static_cast<int>(std::ceil(density));
    deviation_ = tableDeviation();
    density *= densityGrowth;
  }
  table_.resize(static_cast<std::size_t>((density_ + 1) * std::int64_t{cells_}));
  for (int s = 0; s <= density_; ++s)
    for (int j = 0; j < cells_; ++j)
      table_[static_cast<std::size_t>(s * std::int64_t{cells_} + j)] = tableValue(s, j);
}

// Entry (s, j) of a table whose density is density_.
template <class Real>
Real KernelSource<Real>::tableValue(int s, int j) const {
  const auto kernelAt = [&](int at) {
    return kernel_(static_cast<double>(at) / density_ + j - 0.5 * kernel_.width());
  };
  // Beyond the kernel's edge the last interval's line continues; valuesAt cuts it off.
  const int inside = static_cast<int>(std::floor(polynomial_.edge * density_));
  if (j < cells_ - 1 || s <= inside) return static_cast<Real>(kernelAt(s));
  const double last = kernelAt(inside), before = inside > 0 ? kernelAt(inside - 1) : last;
  return static_cast<Real>(std::max(0.0, last + (s - inside) * (last - before)));
}

// Computes only the entries that it reads, so that densities can be tried before a table is made.
template <class Real>
double KernelSource<Real>::tableDeviation() const {
  double worst = 0;
  for (int j = 0; j < cells_; ++j) {
    double square = 0;
    for (int i = 0; i < checkPoints; ++i) {
      const Real f = static_cast<Real>((i + 0.5) / checkPoints);
      const Place at = placeOf(f);
      const bool cut = j == cells_ - 1 && static_cast<double>(f) >= polynomial_.edge;
      const Real value =
          cut ? Real(0) : between(tableValue(at.interval, j), tableValue(at.interval + 1, j), at.part);
      const double d =
          static_cast<double>(value) - kernel_(static_cast<double>(f) + j - 0.5 * kernel_.width());
      square += d * d / checkPoints;
    }
    worst = std::max(worst, std::sqrt(2 * square));
  }
  return worst;
}

template <class Real>
void KernelSource<Real>::valuesAt(Real f, Real* values) const {
  const bool cut = static_cast<double>(f) >= polynomial_.edge;
  switch (precomputation_) {
    case Precomputation::linear: {
      const Place at = placeOf(f);
      const Real* low = table_.data() + at.interval * std::int64_t{cells_};
      const Real* high = low + cells_;
      for (int j = 0; j < cells_; ++j) values[j] = between(low[j], high[j], at.part);
      break;
    }
    case Precomputation::none:
      for (int j = 0; j < cells_; ++j) {
        values[j] = static_cast<Real>(kernel_(static_cast<double>(f) + j - 0.5 * kernel_.width()));
      }
      break;
    default: {
      const double t = 2 * static_cast<double>(f) - 1;
      double sum[static_cast<std::size_t>(maxKernelWidth)] = {};
      const double* coefficient = polynomial_.coefficient.data();
      for (int p = 0; p <= polynomial_.degree; ++p, coefficient += cells_) {
        for (int j = 0; j < cells_; ++j) sum[j] = sum[j] * t + coefficient[j];
      }
      for (int j = 0; j < cells_; ++j) values[j] = static_cast<Real>(sum[j]);
    }
  }
  if (cut) values[cells_ - 1] = 0;
}

template <class Real>
template <int dims>
void KernelSource<Real>::fillPoints(const SortedPoint<Real, dims>* points, std::int64_t count,
                                    Real* values) const {
  for (std::int64_t j = 0; j < count; ++j) {
    for (int d = 0; d < dims; ++d, values += cells_) valuesAt(points[j].f[d], values);
  }
}

template <class Real>
void KernelSource<Real>::fill(int dims, const void* points, std::int64_t count, Real* values) const {
  switch (dims) {
    case 1:
      return fillPoints(static_cast<const SortedPoint<Real, 1>*>(points), count, values);
    case 2:
      return fillPoints(static_cast<const SortedPoint<Real, 2>*>(points), count, values);
    default:
      return fillPoints(static_cast<const SortedPoint<Real, 3>*>(points), count, values);
  }
}

template class KernelSource<float>;
template class KernelSource<double>;

}  // namespace spokelab
