#include "engine/core/hermitian.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace spokelab {
namespace {

constexpr double unitRoundoff = std::numeric_limits<double>::epsilon();
constexpr int mostSweeps = 60;  // quadratic convergence: about ten are needed

// Turns columns and rows p and q so that a(p, q) becomes 0; `v` gathers the rotations, one eigenvector a row.
void rotate(std::vector<cdouble>& a, std::vector<cdouble>& v, std::size_t n, std::size_t p, std::size_t q) {
  const double size = std::abs(a[p * n + q]);
  if (size == 0) return;
  const cdouble phase = a[p * n + q] / size;
  const double tau = (a[q * n + q].real() - a[p * n + p].real()) / (2 * size);
  const double t = (tau >= 0 ? 1.0 : -1.0) / (std::abs(tau) + std::sqrt(1 + tau * tau));
  const double c = 1 / std::sqrt(1 + t * t);
  const cdouble s = t * c * phase;
  for (std::size_t i = 0; i < n; ++i) {  // columns: a <- a R
    const cdouble x = a[i * n + p], y = a[i * n + q];
    a[i * n + p] = c * x - std::conj(s) * y;
    a[i * n + q] = s * x + c * y;
  }
  for (std::size_t i = 0; i < n; ++i) {  // rows: a <- R^H a
    const cdouble x = a[p * n + i], y = a[q * n + i];
    a[p * n + i] = c * x - s * y;
    a[q * n + i] = std::conj(s) * x + c * y;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const cdouble x = v[p * n + i], y = v[q * n + i];
    v[p * n + i] = c * x - std::conj(s) * y;
    v[q * n + i] = s * x + c * y;
  }
  a[p * n + q] = a[q * n + p] = 0;
}

}  // namespace

HermitianEigen hermitianEigen(std::vector<cdouble> a, int count) {
  const auto n = std::size_t(count);
  double scale = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) {
      a[i * n + j] = (a[i * n + j] + std::conj(a[j * n + i])) / 2.0;
      a[j * n + i] = std::conj(a[i * n + j]);
      scale = std::max(scale, std::abs(a[i * n + j]));
    }
  std::vector<cdouble> v(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) v[i * n + i] = 1;
  for (int sweep = 0; sweep < mostSweeps; ++sweep) {
    double off = 0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) off = std::max(off, std::abs(a[p * n + q]));
    if (off <= unitRoundoff * scale) break;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) rotate(a, v, n, p, q);
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return a[i * n + i].real() > a[j * n + j].real(); });
  HermitianEigen result;
  result.vectors.reserve(n * n);
  for (std::size_t i : order) {
    result.values.push_back(a[i * n + i].real());
    result.vectors.insert(result.vectors.end(), v.begin() + std::ptrdiff_t(i * n),
                          v.begin() + std::ptrdiff_t((i + 1) * n));
  }
  return result;
}

bool cholesky(const std::vector<cdouble>& a, int count, std::vector<cdouble>& lower) {
  const auto n = std::size_t(count);
  lower.assign(n * n, 0.0);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, a[i * n + i].real());
  const double least = double(n) * unitRoundoff * largest;
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = a[j * n + j].real();
    for (std::size_t k = 0; k < j; ++k) pivot -= std::norm(lower[j * n + k]);
    if (!(pivot > least)) return false;
    const double root = std::sqrt(pivot);
    lower[j * n + j] = root;
    for (std::size_t i = j + 1; i < n; ++i) {
      cdouble sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= lower[i * n + k] * std::conj(lower[j * n + k]);
      lower[i * n + j] = sum / root;
    }
  }
  return true;
}

std::vector<cdouble> invertLower(const std::vector<cdouble>& lower, int count) {
  const auto n = std::size_t(count);
  std::vector<cdouble> inverse(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    inverse[j * n + j] = 1.0 / lower[j * n + j];
    for (std::size_t i = j + 1; i < n; ++i) {
      cdouble sum = 0;
      for (std::size_t k = j; k < i; ++k) sum -= lower[i * n + k] * inverse[k * n + j];
      inverse[i * n + j] = sum / lower[i * n + i];
    }
  }
  return inverse;
}

std::vector<cdouble> multiply(const std::vector<cdouble>& a, const std::vector<cdouble>& b, int rows,
                              int inner, int columns) {
  const auto r = std::size_t(rows), m = std::size_t(inner), c = std::size_t(columns);
  std::vector<cdouble> product(r * c, 0.0);
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t j = 0; j < c; ++j) product[i * c + j] += a[i * m + k] * b[k * c + j];
  return product;
}

}  // namespace spokelab
