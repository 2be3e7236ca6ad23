// Piecewise polynomials of a kernel: Chebyshev interpolation of each cell's piece, in powers of t.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/nufft/kernel/kernel.h"

namespace spokelab {
namespace {

constexpr int maxDegree = 24;
// Points of each piece where the deviation is checked; no multiple of a Chebyshev grid's number.
constexpr int checkPoints = 97;
// Larger coefficients on a short last piece would cancel and lose precision.
constexpr double maxCoefficient = 4;

// cos(pi k (i + 1/2) / n) for a Chebyshev grid of n nodes. The library's cosine of long doubles
// took half of the time that making a small plan takes.
class ChebyshevCosines {
 public:
  explicit ChebyshevCosines(int n) : n_(n), cosine_(std::size_t(4 * n)) {
    for (std::size_t m = 0; m < cosine_.size(); ++m)
      cosine_[m] = std::cos(std::numbers::pi_v<long double> * static_cast<long double>(m) / (2 * n));
  }
  long double operator()(int k, int i) const { return cosine_[std::size_t(k * (2 * i + 1) % (4 * n_))]; }

 private:
  int n_;
  std::vector<long double> cosine_;  // of multiples of pi / (2 n)
};

const ChebyshevCosines& chebyshevCosines(int n) {
  static const std::vector<ChebyshevCosines> all = [] {
    std::vector<ChebyshevCosines> cosines;
    for (int nodes = 1; nodes <= maxDegree + 1; ++nodes) cosines.emplace_back(nodes);
    return cosines;
  }();
  return all[std::size_t(n - 1)];
}

// Powers of t = 2 f - 1, lowest first, of the polynomial that interpolates phi at the degree + 1
// Chebyshev nodes of f in [0, edge].
std::vector<double> interpolant(const Kernel& kernel, double start, double edge, int degree) {
  const int n = degree + 1;
  std::vector<long double> value(static_cast<std::size_t>(n)), chebyshev(static_cast<std::size_t>(n));
  const ChebyshevCosines& cosine = chebyshevCosines(n);
  for (int i = 0; i < n; ++i) {
    const long double s = cosine(1, i);
    value[std::size_t(i)] = kernel(start + double(0.5L * edge * (s + 1)));
  }
  for (int k = 0; k < n; ++k) {
    long double sum = 0;
    for (int i = 0; i < n; ++i) sum += value[std::size_t(i)] * cosine(k, i);
    chebyshev[std::size_t(k)] = sum * (k == 0 ? 1 : 2) / n;
  }
  // s = (t + 1) / edge - 1. Clenshaw's recurrence on polynomials in t.
  const long double scale = 1 / static_cast<long double>(edge), shift = scale - 1;
  std::vector<long double> b1(std::size_t(n), 0), b2(std::size_t(n), 0);
  auto timesS = [&](const std::vector<long double>& p) {
    std::vector<long double> r(std::size_t(n), 0);
    for (int i = 0; i < n; ++i) {
      r[std::size_t(i)] += shift * p[std::size_t(i)];
      if (i + 1 < n) r[std::size_t(i + 1)] += scale * p[std::size_t(i)];
    }
    return r;
  };
  for (int k = n - 1; k >= 0; --k) {
    std::vector<long double> b = timesS(b1);
    for (int i = 0; i < n; ++i) b[std::size_t(i)] = (k == 0 ? 1 : 2) * b[std::size_t(i)] - b2[std::size_t(i)];
    b[0] += chebyshev[std::size_t(k)];
    b2 = std::move(b1);
    b1 = std::move(b);
  }
  return {b1.begin(), b1.end()};
}

double evaluate(const std::vector<double>& power, double t) {
  double r = 0;
  for (std::size_t p = power.size(); p-- > 0;) r = r * t + power[p];
  return r;
}

// The kernel where each piece is checked: all degrees are compared with the same values.
std::vector<double> checkValues(const Kernel& kernel, double start, double edge) {
  std::vector<double> values(checkPoints);
  for (int i = 0; i < checkPoints; ++i)
    values[std::size_t(i)] = kernel(start + edge * (i + 0.5) / checkPoints);
  return values;
}

// sqrt(2) times the rms over the piece: the maximum deviation of an equal-ripple fit. The maximum
// itself would overstate the transform's error where the kernel has a cusp at its edge
// (semicircle).
double deviationOf(const std::vector<double>& expected, double edge, const std::vector<double>& power) {
  double square = 0;
  for (int i = 0; i < checkPoints; ++i) {
    const double f = edge * (i + 0.5) / checkPoints;
    const double d = evaluate(power, 2 * f - 1) - expected[std::size_t(i)];
    square += d * d / checkPoints;
  }
  return std::sqrt(2 * square);
}

double largestOf(const std::vector<double>& power) {
  double largest = 0;
  for (const double c : power) largest = std::max(largest, std::abs(c));
  return largest;
}

}  // namespace

double KernelPolynomial::value(int piece, double f) const {
  if (piece == cells - 1 && f >= edge) return 0;
  const double t = 2 * f - 1;
  double r = 0;
  for (int p = 0; p <= degree; ++p)
    r = r * t + coefficient[std::size_t(p) * std::size_t(cells) + std::size_t(piece)];
  return r;
}

KernelPolynomial fitKernel(const Kernel& kernel, double tolerance) {
  KernelPolynomial result;
  result.cells = kernel.cells();
  result.width = kernel.width();
  result.edge = kernel.width() - kernel.cells() + 1;
  std::vector<std::vector<double>> pieces;
  for (int j = 0; j < result.cells; ++j) {
    const double start = j - 0.5 * result.width;
    const double edge = j == result.cells - 1 ? result.edge : 1;
    const std::vector<double> expected = checkValues(kernel, start, edge);
    std::vector<double> best;
    double deviation = 0;
    for (int degree = 0; degree <= maxDegree; ++degree) {
      std::vector<double> power = interpolant(kernel, start, edge, degree);
      const double d = deviationOf(expected, edge, power);
      if (degree > 0 && largestOf(power) > maxCoefficient) break;
      if (best.empty() || d < deviation) {
        best = std::move(power);
        deviation = d;
      }
      if (deviation <= tolerance) break;
    }
    result.deviation = std::max(result.deviation, deviation);
    result.degree = std::max(result.degree, int(best.size()) - 1);
    pieces.push_back(std::move(best));
  }
  result.coefficient.assign(std::size_t(result.degree + 1) * std::size_t(result.cells), 0);
  for (int j = 0; j < result.cells; ++j)
    for (std::size_t p = 0; p < pieces[std::size_t(j)].size(); ++p)
      result.coefficient[(std::size_t(result.degree) - p) * std::size_t(result.cells) + std::size_t(j)] =
          pieces[std::size_t(j)][p];
  return result;
}

}  // namespace spokelab
