#include "engine/nufft/error_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace spokelab {
namespace {

using std::numbers::pi;

constexpr int aliases = 6;          // replicas on each side that are summed; the rest is added as 1/p^2
constexpr int positions = 17;       // of a point between two grid cells, over half a cell
constexpr int exactPixels = 48;     // half images up to this long are averaged pixel by pixel;
constexpr int edgePixels = 12;      // longer ones so near the edge, where the error changes fast,
constexpr int sampledPixels = 32;   // and at this many places elsewhere
constexpr double roundingFactor = 0.9;  // c of the rounding term, fitted to plans in float (test_error_model)

// What one dimension contributes. A point theta cells away from the grid sees pixel x with the relative error
// A(x, theta) = sum_{p != 0} h(x + G p) / h(x) e^{2 pi i p theta}.
struct Axis {
  double square = 0;                           // <|A|^2> over pixels and theta
  double worstSquare = 0;                      // the same, largest over pixels
  std::array<double, positions> mean{};        // <A> over pixels, at theta = i / (2 (positions - 1))
  std::array<double, positions> meanSquare{};  // <|A|^2> over pixels, at the same theta
  double inverseSquare = 0;                    // <1 / h^2> over the image
  double gridSquare = 0;                       // <h^2> over the grid: int phi^2
};

struct Pixel {
  double x, weight;
};

// Half of the image (h is even): x and the share of the pixels that it stands for.
std::vector<Pixel> halfImage(std::int64_t n) {
  std::vector<Pixel> pixels;
  const std::int64_t half = n / 2;
  const std::int64_t exactFrom = half <= exactPixels ? 0 : half - edgePixels;
  for (std::int64_t x = exactFrom; x <= half; ++x) {
    const bool both = x > 0 && x < n - half;  // -x and +x are both there
    pixels.push_back({double(x), (both ? 2.0 : 1.0) / double(n)});
  }
  const double bulk = double(exactFrom) - 0.5;  // [0, bulk] and its mirror hold the other pixels
  for (int i = 0; bulk > 0 && i < sampledPixels; ++i)
    pixels.push_back({bulk * (i + 0.5) / sampledPixels, 2 * bulk / sampledPixels / double(n)});
  return pixels;
}

// e^{2 pi i p theta} for the positions and aliases above.
struct Phases {
  double re[positions][2 * aliases + 1], im[positions][2 * aliases + 1];
  Phases() {
    for (int i = 0; i < positions; ++i)
      for (int p = -aliases; p <= aliases; ++p) {
        const double angle = pi * p * i / (positions - 1);
        re[i][p + aliases] = std::cos(angle);
        im[i][p + aliases] = std::sin(angle);
      }
  }
};

Axis axisOf(const Kernel& kernel, std::int64_t n, std::int64_t grid) {
  static const Phases phases;
  Axis axis;
  for (const auto& [x, weight] : halfImage(n)) {
    std::array<double, 2 * aliases + 1> a{};
    const double xi = x / double(grid);
    const double h = kernel.transform(xi);
    double square = 0;
    for (int p = -aliases; p <= aliases; ++p) {
      if (p == 0) continue;
      double& amplitude = a[std::size_t(p + aliases)];
      amplitude = kernel.transform(xi + p) / h;
      square += amplitude * amplitude;
    }
    // Beyond: h(p) falls as 1/p from the step at the kernel's edge. sum_{p > P} 1/p^2 = 1 / (P + 1/2).
    double step = 0;
    constexpr int last = 3;
    for (int p = aliases - last + 1; p <= aliases; ++p)
      for (int s : {-p, p}) step += std::pow(p * a[std::size_t(s + aliases)], 2) / last;
    square += step / (aliases + 0.5);

    axis.square += weight * square;
    axis.worstSquare = std::max(axis.worstSquare, square);
    axis.inverseSquare += weight / (h * h);
    for (int i = 0; i < positions; ++i) {
      double re = 0, im = 0;
      for (int p = 0; p <= 2 * aliases; ++p) {
        re += a[std::size_t(p)] * phases.re[i][p];
        im += a[std::size_t(p)] * phases.im[i][p];
      }
      axis.mean[std::size_t(i)] += weight * re;
      axis.meanSquare[std::size_t(i)] += weight * (re * re + im * im + step / (aliases + 0.5));
    }
  }
  constexpr int steps = 64;  // trapezoid over [0, 1/2] cycles per cell, where h lives
  for (int i = 0; i <= steps; ++i) {
    const double h = kernel.transform(0.5 * i / steps);
    axis.gridSquare += (i == 0 || i == steps ? 0.5 : 1.0) * h * h / steps;
  }
  return axis;
}

// prod (1 + a_d) - 1 without cancellation.
double productLessOne(const std::array<double, 3>& a, int dims) {
  double r = 0;
  for (int d = 0; d < dims; ++d) r += a[std::size_t(d)] * (1 + r);
  return r;
}

// Largest over theta of < |prod (1 + A_d) - 1|^2 >: points that all lie at the same place between the cells.
double worstPosition(const std::array<Axis, 3>& axes, int dims) {
  double worst = 0;
  for (std::size_t i = 0; i < positions; ++i) {
    // E|r'|^2 with r' = r + A (1 + r), and E r' alongside.
    double square = 0, mean = 0;
    for (int d = 0; d < dims; ++d) {
      const Axis& a = axes[std::size_t(d)];
      square += a.meanSquare[i] * (1 + 2 * mean + square) + 2 * a.mean[i] * (mean + square);
      mean += a.mean[i] * (1 + mean);
    }
    worst = std::max(worst, square);
  }
  return worst;
}

}  // namespace

PredictedError predictError(const NufftProblem& problem, const Kernel& kernel, const Index3& grid,
                            double polynomialDeviation) {
  std::array<Axis, 3> axes;
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) {
    std::size_t same = 0;
    while (same < d && (problem.size[same] != problem.size[d] || grid[same] != grid[d])) ++same;
    axes[d] = same < d ? axes[same] : axisOf(kernel, problem.size[d], grid[d]);
  }
  std::array<double, 3> square{}, worst{};
  double gain = 1;  // prod rms_FOV(1/h) rms_G(h), squared
  double polynomial = 0;
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) {
    const Axis& a = axes[d];
    square[d] = a.square;
    worst[d] = a.worstSquare;
    gain *= a.inverseSquare * a.gridSquare;
    // An equal-ripple deviation over W cells in the place of phi's int phi^2.
    polynomial += 0.5 * polynomialDeviation * polynomialDeviation * kernel.width() / a.gridSquare;
  }
  const double unit = 0.5 * (problem.precision == Precision::single ? double(std::numeric_limits<float>::epsilon())
                                                                     : std::numeric_limits<double>::epsilon());
  PredictedError e;
  e.aliasing = std::sqrt(productLessOne(square, problem.dims));
  e.worstPixel = std::sqrt(productLessOne(worst, problem.dims));
  e.worstPosition = std::sqrt(worstPosition(axes, problem.dims));
  e.polynomial = std::sqrt(gain * polynomial);
  e.rounding = roundingFactor * unit * std::sqrt(gain);
  const double rest = e.polynomial * e.polynomial + e.rounding * e.rounding;
  e.relativeL2 = std::sqrt(e.aliasing * e.aliasing + rest);
  e.bound = std::sqrt(std::max(e.aliasing * e.aliasing, e.worstPosition * e.worstPosition) + rest);
  return e;
}

double polynomialTolerance(const NufftProblem& problem, const Kernel& kernel, const Index3& grid, double accuracy) {
  constexpr double share = 0.1;
  const double perDeviation = predictError(problem, kernel, grid, 1).polynomial;
  return share * accuracy / std::max(1.0, perDeviation);
}

}  // namespace spokelab
