#include "engine/nufft/kernel/error_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "engine/nufft/kernel/quadrature.h"

namespace spokelab {
namespace {

using std::numbers::pi;

// Places of a point between two grid cells: midpoints over half a cell, for the mean.
constexpr int positions = 24;
// Further places: on a cell, midway between two, and to either side of the kernel's edge.
constexpr int specialPositions = 4;
constexpr int allPositions = positions + specialPositions;
constexpr double besideEdgeCells = 1e-9;
// Half images up to this long are averaged pixel by pixel.
constexpr int maxExactPixels = 48;
// Longer lines are averaged pixel by pixel near the edge, where the error changes fastest, and
// elsewhere by quadrature over panels whose lengths grow geometrically from the edge: near alpha =
// 1 the error grows within a hundredth of the image by orders of magnitude.
constexpr int edgePixels = 12, panels = 4, panelNodes = 8;
constexpr double panelRatio = 4;

// Rounding: c u prod rms_FOV(1/h) rms_G(h) of spreading and interpolating, and a floor of the
// transforms. An addition to a sum leaves an error of roundingPerTerm u times the sum so far, which
// gives c = roundingPerTerm sqrt(terms / 2) where terms have random signs (kernel/crowding.h). All
// fitted to plans in single precision (test_error_model).
constexpr double roundingFactor = 2.0;
constexpr double roundingPerTerm = 0.41;
constexpr double roundingFloor = 2.5;

// The contribution of one dimension. A point theta cells beyond a grid cell sees pixel x through
// B(x, theta) = sum_m phi(m - theta) e^{2 pi i (m - theta) x / G} / h(x), and so with the relative
// error A = B - 1 = sum_{p != 0} h(x + G p) / h(x) e^{-2 pi i p theta} (Poisson): its mean square
// over theta is eps(x)^2.
struct Axis {
  double square = 0;                              // <|A|^2> over pixels and theta
  double worstSquare = 0;                         // <|A|^2> over theta, largest over pixels
  std::array<double, allPositions> mean{};        // <A> over pixels, at each position
  std::array<double, allPositions> meanSquare{};  // <|A|^2> over pixels, at each position
  double inverseSquare = 0;                       // <1 / h^2> over the image
  double gridSquare = 0;                          // <h^2> over the grid: int phi^2
};

struct Pixel {
  double x, weight;
};

// Pixels x of half of the image (h is even), each with the share of all pixels that it represents.
std::vector<Pixel> halfImage(std::int64_t n) {
  std::vector<Pixel> pixels;
  const std::int64_t half = n / 2;
  const std::int64_t exactFrom = half <= maxExactPixels ? 0 : half - edgePixels;
  for (std::int64_t x = exactFrom; x <= half; ++x) {
    const bool both = x > 0 && x < n - half;  // -x and +x are both there
    pixels.push_back({double(x), (both ? 2.0 : 1.0) / double(n)});
  }
  // [0, bulk] and its mirror hold the other pixels.
  const double bulk = double(exactFrom) - 0.5;
  const Quadrature& rule = gaussLegendre(panelNodes);
  double far = bulk;  // the end of the last panel, from the end of the bulk on
  for (int p = 0; bulk > 0 && p < panels; ++p) {
    const double near = p + 1 < panels ? far / panelRatio : 0, reach = 0.5 * (far - near);
    for (std::size_t i = 0; i < rule.node.size(); ++i)
      pixels.push_back({bulk - near - reach * (1 + rule.node[i]), 2 * reach * rule.weight[i] / double(n)});
    far = near;
  }
  return pixels;
}

// The kernel at the cells around a point: value[k] at u = first + k.
struct Window {
  double first = 0;
  std::vector<double> value;
};

std::array<Window, allPositions> windowsOf(const Kernel& kernel) {
  std::array<Window, allPositions> windows;
  const double half = 0.5 * kernel.width();
  // The position at which a cell enters the kernel's reach.
  const double edge = std::abs(half - std::nearbyint(half));
  const double special[specialPositions] = {0, 0.5, edge - besideEdgeCells, edge + besideEdgeCells};
  for (int i = 0; i < allPositions; ++i) {
    const double theta = i < positions ? 0.5 * (i + 0.5) / positions : special[i - positions];
    Window& w = windows[std::size_t(i)];
    w.first = std::ceil(theta - half) - theta;
    for (double u = w.first; u <= half; u += 1) w.value.push_back(kernel(u));
  }
  return windows;
}

// A(x, theta); h: the kernel's transform at the pixel.
std::complex<double> relativeError(const Window& w, double h, double x, std::int64_t grid) {
  const std::complex<double> turn = std::polar(1.0, 2 * pi * x / double(grid));
  std::complex<double> sum = 0;
  for (std::size_t k = w.value.size(); k-- > 0;) sum = product(sum, turn) + w.value[k];
  return sum * std::polar(1 / h, 2 * pi * x / double(grid) * w.first) - 1.0;
}

Axis axisOf(const Kernel& kernel, std::int64_t n, std::int64_t grid) {
  const std::array<Window, allPositions> windows = windowsOf(kernel);
  Axis axis;
  for (const auto& [x, weight] : halfImage(n)) {
    const double h = kernel.transform(x / double(grid));
    double square = 0;
    for (std::size_t i = 0; i < allPositions; ++i) {
      const std::complex<double> a = relativeError(windows[i], h, x, grid);
      axis.mean[i] += weight * a.real();  // the pixel at -x has the conjugate
      axis.meanSquare[i] += weight * std::norm(a);
      if (i < positions) square += std::norm(a) / positions;
    }
    axis.square += weight * square;
    axis.worstSquare = std::max(axis.worstSquare, square);
    axis.inverseSquare += weight / (h * h);
  }
  for (int i = 0; i < positions; ++i)  // over half a cell, and its mirror
    for (const double v : windows[std::size_t(i)].value) axis.gridSquare += v * v / positions;
  return axis;
}

// prod (1 + a_d) - 1 without cancellation.
double productLessOne(const std::array<double, 3>& a, int dims) {
  double r = 0;
  for (int d = 0; d < dims; ++d) r += a[std::size_t(d)] * (1 + r);
  return r;
}

// Largest over theta of < |prod (1 + A_d) - 1|^2 >: points at one place between the cells.
double worstPosition(const std::array<Axis, 3>& axes, int dims) {
  double worst = 0;
  for (std::size_t i = 0; i < allPositions; ++i) {
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
                            double polynomialDeviation, double accuracy) {
  std::array<Axis, 3> axes;
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) {
    std::size_t same = 0;
    while (same < d && (problem.size[same] != problem.size[d] || grid[same] != grid[d])) ++same;
    axes[d] = same < d ? axes[same] : axisOf(kernel, problem.size[d], grid[d]);
  }
  std::array<double, 3> square{}, worst{};
  double noiseGain = 1, gain = 1;  // prod rms_FOV(1/h), and with rms_G(h), squared
  double polynomial = 0;
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) {
    const Axis& a = axes[d];
    square[d] = a.square;
    worst[d] = a.worstSquare;
    noiseGain *= a.inverseSquare;
    gain *= a.inverseSquare * a.gridSquare;
    // An equal-ripple deviation over W cells in the place of phi's int phi^2.
    polynomial += 0.5 * polynomialDeviation * polynomialDeviation * kernel.width() / a.gridSquare;
  }
  const double unit =
      0.5 * (problem.precision == Precision::single ? double(std::numeric_limits<float>::epsilon())
                                                    : std::numeric_limits<double>::epsilon());
  PredictedError e;
  e.aliasing = std::sqrt(productLessOne(square, problem.dims));
  e.worstPixel = std::sqrt(productLessOne(worst, problem.dims));
  e.worstPosition = std::sqrt(worstPosition(axes, problem.dims));
  e.polynomial = std::sqrt(gain * polynomial);
  e.crowdLimit = crowdLimit(problem.dims, kernel.width(), accuracy / (unit * std::sqrt(gain)));
  const double terms = double(e.crowdLimit) * termsPerBlockPoint(problem.dims, kernel.width());
  const double factor = std::hypot(roundingFactor, roundingPerTerm * std::sqrt(terms / 2));
  e.rounding = unit * std::hypot(factor * std::sqrt(gain), roundingFloor);
  e.roundingOfFewTerms = unit * std::hypot(roundingFactor * std::sqrt(gain), roundingFloor);
  e.noiseGain = std::sqrt(noiseGain);
  const double rest = e.polynomial * e.polynomial + e.rounding * e.rounding;
  e.relativeL2 = std::sqrt(e.aliasing * e.aliasing + rest);
  double largest = std::max(e.aliasing, e.worstPosition);
  if (problem.measure == ErrorMeasure::worstPixel) largest = std::max(largest, e.worstPixel);
  e.bound = std::sqrt(largest * largest + rest);
  return e;
}

double predictPixelError(const NufftProblem& problem, const Kernel& kernel, const Index3& grid,
                         const PredictedError& error, const Index3& pixel) {
  const std::array<Window, allPositions> windows = windowsOf(kernel);
  std::array<double, 3> squares{};
  double gain = 1;  // prod 1/h: what an error in the grid's cells becomes in the pixel
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) {
    const double x = double(pixel[d] - problem.size[d] / 2);
    const double h = kernel.transform(x / double(grid[d]));
    gain /= h;
    for (std::size_t i = 0; i < positions; ++i)
      squares[d] += std::norm(relativeError(windows[i], h, x, grid[d])) / positions;
  }
  const double inCells = std::hypot(error.polynomial, error.rounding) * gain / error.noiseGain;
  return std::hypot(std::sqrt(productLessOne(squares, problem.dims)), inCells);
}

double polynomialTolerance(const NufftProblem& problem, const Kernel& kernel, const Index3& grid,
                           double accuracy) {
  constexpr double share = 0.1;
  const double perDeviation = predictError(problem, kernel, grid, 1).polynomial;
  return share * accuracy / std::max(1.0, perDeviation);
}

}  // namespace spokelab
