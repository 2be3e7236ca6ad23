#include "engine/nufft/kernel/prolate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace spokelab {
namespace {

struct Tridiagonal {
  std::vector<double> diagonal, off;  // off[i] couples i and i + 1
};

Tridiagonal bouwkamp(double c, int terms) {
  Tridiagonal t;
  for (int i = 0; i < terms; ++i) {
    const double k = 2.0 * i;
    t.diagonal.push_back(k * (k + 1) + (2 * k * (k + 1) - 1) / ((2 * k + 3) * (2 * k - 1)) * c * c);
    t.off.push_back((k + 2) * (k + 1) / ((2 * k + 3) * std::sqrt((2 * k + 1) * (2 * k + 5))) * c * c);
  }
  return t;
}

// Number of eigenvalues below x (Sturm sequence).
int eigenvaluesBelow(const Tridiagonal& t, double x) {
  int count = 0;
  double q = 1;
  for (std::size_t i = 0; i < t.diagonal.size(); ++i) {
    const double coupling = i == 0 ? 0 : t.off[i - 1] * t.off[i - 1] / q;
    q = t.diagonal[i] - x - coupling;
    if (q == 0) q = 1e-300;
    count += q < 0;
  }
  return count;
}

double smallestEigenvalue(const Tridiagonal& t) {
  // Rayleigh quotient of the first basis vector bounds it from above.
  double low = 0, high = t.diagonal[0];
  for (std::size_t i = 0; i < t.diagonal.size(); ++i) {
    const double left = i == 0 ? 0 : t.off[i - 1];
    low = std::min(low, t.diagonal[i] - left - t.off[i]);
  }
  while (high - low > 1e-13 * (std::abs(low) + std::abs(high))) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (eigenvaluesBelow(t, middle) > 0 ? high : low) = middle;
  }
  return low;  // just below, so the shifted matrix is positive definite
}

// One step of inverse iteration by LDL^T.
void solveShifted(const Tridiagonal& t, double shift, std::vector<double>& x) {
  const std::size_t n = x.size();
  std::vector<double> d(n), l(n);
  for (std::size_t i = 0; i < n; ++i) {
    d[i] = t.diagonal[i] - shift - (i == 0 ? 0 : l[i - 1] * t.off[i - 1]);
    if (std::abs(d[i]) < 1e-300) d[i] = 1e-300;
    l[i] = t.off[i] / d[i];
    if (i > 0) x[i] -= l[i - 1] * x[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) x[i] = x[i] / d[i] - (i + 1 < n ? l[i] * x[i + 1] : 0);
  double norm = 0;
  for (double v : x) norm += v * v;
  for (double& v : x) v /= std::sqrt(norm);
}

}  // namespace

std::vector<double> prolateCoefficients(double c) {
  // The coefficients fall faster than geometrically beyond k of about c.
  const int terms = 24 + int(c);
  const Tridiagonal matrix = bouwkamp(c, terms);
  const double eigenvalue = smallestEigenvalue(matrix);
  std::vector<double> x(std::size_t(terms), 0.0);
  x[0] = 1;
  constexpr int steps = 4;
  for (int i = 0; i < steps; ++i) solveShifted(matrix, eigenvalue, x);
  // P_2i, unnormalised.
  for (int i = 0; i < terms; ++i) x[std::size_t(i)] *= std::sqrt(2.0 * i + 0.5);
  const double centre = prolateValue(x, 0);
  for (double& v : x) v /= centre;
  return x;
}

double prolateValue(const std::vector<double>& coefficients, double x) {
  double p0 = 1, p1 = x, sum = coefficients[0];
  for (std::size_t i = 1; i < coefficients.size(); ++i) {
    const double k = 2.0 * double(i);
    const double even = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
    sum += coefficients[i] * even;
    p0 = even;
    p1 = ((2 * k + 1) * x * even - k * p1) / (k + 1);
  }
  return sum;
}

}  // namespace spokelab
