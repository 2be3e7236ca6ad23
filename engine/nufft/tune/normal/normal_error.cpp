#include "engine/nufft/tune/normal/normal_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/nufft/plan/psf.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"

namespace spokelab {
namespace {

// Of the FFTs there and back, in units of the precision's roundoff times sqrt(passes); the part of it that falls on the
// image, which is 2^-dims of what is convolved; and of the stored transfer function.
constexpr double convolutionRounding = 0.92;
constexpr double transferRounding = 0.5;
// Longer images are seen at so many evenly spaced places.
constexpr std::int64_t maxPlaces = 256;
// Aliases that are counted to either side; those beyond the first are taken to meet the same power.
constexpr int aliases = 4;

// Places x of an image of n pixels, each for n / size() of them, and what it sees of the aliases.
struct Places {
  std::vector<double> x, next, previous;             // p = 1, p = -1
  std::vector<double> nextSquares, previousSquares;  // sums over p > 0 and p < 0

  Places(const Kernel& kernel, std::int64_t n, std::int64_t grid) {
    const std::int64_t count = std::min(n, maxPlaces);
    const double step = double(n) / double(count);
    for (std::int64_t i = 0; i < count; ++i) {
      x.push_back(-double(n / 2) + (double(i) + 0.5) * step - 0.5);
      const double own = kernel.transform(x.back() / double(grid));
      double after = 0, before = 0;
      for (int p = 1; p <= aliases; ++p) {  // r_p = h(x + p G) / h(x)
        const double above = kernel.transform(x.back() / double(grid) + p) / own,
                     below = kernel.transform(x.back() / double(grid) - p) / own;
        if (p == 1) {
          next.push_back(above);
          previous.push_back(below);
        }
        after += above * above;
        before += below * below;
      }
      nextSquares.push_back(after);
      previousSquares.push_back(before);
    }
  }
};

// The mean power of the lags around grid + i * step, |i| < count.
std::vector<double> powerOf(const FarLags::Line& line, double step, std::int64_t count) {
  std::vector<double> power(static_cast<std::size_t>(2 * count - 1)), lags(power.size());
  for (std::size_t l = 0; l < line.power.size(); ++l) {
    const double lag = double(line.first) + double(line.stride) * double(l);
    const auto i = std::clamp(std::int64_t(std::nearbyint(lag / step)), 1 - count, count - 1);
    power[std::size_t(i + count - 1)] += line.power[l];
    lags[std::size_t(i + count - 1)] += 1;
  }
  for (std::size_t i = 0; i < power.size(); ++i) {
    if (lags[i] > 0)
      power[i] /= lags[i];
    else if (i > 0)
      power[i] = power[i - 1];
  }
  return power;
}

// <|E_mn|^2> of both transforms' aliases along one dimension.
double griddedPower(const Kernel& kernel, std::int64_t n, std::int64_t grid, const FarLags::Line& line) {
  const Places places(kernel, n, grid);
  const std::size_t count = places.x.size();
  std::vector<double> byDistance(2 * count - 1);  // n - m + count - 1
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b) {
      byDistance[a + count - 1 - b] +=
          places.nextSquares[a] + places.previousSquares[b] + 2 * places.next[a] * places.previous[b];
    }
  const std::vector<double> power = powerOf(line, double(n) / double(count), std::int64_t(count));
  double sum = 0;
  for (std::size_t i = 0; i < byDistance.size(); ++i) sum += byDistance[i] * power[i];
  // p = -1 gives the conjugate entries.
  return 2 * sum / double(count * count);
}

// The same of a point spread function; `half`: its pixels are lags from 0 on.
double pointSpreadPower(const PointSpreadPlan& psf, std::size_t d, std::int64_t n, const FarLags::Line& line,
                        bool half) {
  const Places places(psf.kernel, psf.lags.size[d], psf.grid[d]);
  const double step = double(psf.lags.size[d]) / double(places.x.size());
  const std::int64_t count = std::int64_t(std::ceil(double(n) / step));
  const std::vector<double> power = powerOf(line, step, count);
  const auto at = [&](double lag) {
    const auto i = std::clamp(std::int64_t(std::nearbyint(lag / step)), 1 - count, count - 1);
    return power[std::size_t(i + count - 1)];
  };
  double sum = 0;
  for (std::size_t i = 0; i < places.x.size(); ++i) {
    const double lag = places.x[i] + (half ? double(n / 2) : 0.0);
    // Lags below 0 are the conjugates of those that a half holds.
    const double signs = half && lag > 0 ? 2 : 1;
    const double pairs = signs * std::max(0.0, double(n) - std::abs(lag)) * step;
    sum += pairs * (places.nextSquares[i] * at(lag) + places.previousSquares[i] * at(-lag));
  }
  return sum / (double(n) * double(n));
}

// Passes of a transform that round: log2 of its length, and four times as many where a large prime factor makes it a
// convolution (measured with FFTW).
double passesOf(std::int64_t length) {
  constexpr std::int64_t largestOwnFactor = 31;
  constexpr double ofConvolution = 4;
  std::int64_t rest = length;
  for (std::int64_t p = 2; p <= largestOwnFactor; ++p)
    while (rest % p == 0) rest /= p;
  return (rest > 1 ? ofConvolution : 1) * std::log2(double(length));
}

double mean(const FarLags::Line& line) {
  double sum = 0;
  for (const double p : line.power) sum += p / double(line.power.size());
  return sum;
}

}  // namespace

double predictNormalError(const NufftProblem& problem, const NufftOptions& options, const Index3& grid,
                          const PredictedError& error, double gain, const FarLags& far, std::int64_t points) {
  if (!(gain > 0) || points == 0) return 0;
  const auto dims = std::size_t(problem.dims);
  const double scale = std::sqrt(double(problem.pixels())) / gain;
  double power = 0;  // <|E_mn|^2>
  const bool hasKernel = options.width > 0 && options.alpha > 0 && options.kernel != KernelType::automatic;
  if (!isToeplitz(options.normal)) {
    if (!hasKernel) return std::sqrt(2.0) * error.relativeL2;  // a plug-in's, of which no more is known
    const Kernel kernel(options.kernel, options.width, options.alpha);
    for (std::size_t d = 0; d < dims; ++d) {
      const FarLags::Line& line = far.along(int(d), grid[d]);
      power += griddedPower(kernel, problem.size[d], grid[d], line) +
               2 * error.polynomial * error.polynomial * mean(line) / double(dims);
    }
    return std::hypot(scale * std::sqrt(std::max(0.0, power)), std::sqrt(2.0) * error.roundingOfFewTerms);
  }
  const PointSpreadPlan psf = pointSpreadPlan(problem, options, points);
  for (std::size_t d = 0; d < dims; ++d) {
    const FarLags::Line& line = far.along(int(d), psf.grid[d]);
    power += pointSpreadPower(psf, d, problem.size[d], line, d + 1 == dims) +
             psf.error.polynomial * psf.error.polynomial * mean(line) / double(dims);
  }
  power += psf.error.rounding * psf.error.rounding * far.squares();
  const double unit =
      0.5 * (problem.precision == Precision::single ? double(std::numeric_limits<float>::epsilon())
                                                    : std::numeric_limits<double>::epsilon());
  const bool shifted = options.normal == NormalMethod::toeplitzShifted;
  const Index3 lengths = shifted ? problem.size : toeplitzLengths(problem, options.toeplitzAlpha);
  double passes = 0;
  for (std::size_t d = 0; d < dims; ++d) passes += passesOf(lengths[d]);
  return std::hypot(scale * std::sqrt(std::max(0.0, power)),
                    unit * convolutionRounding * std::sqrt(std::ldexp(passes, -problem.dims)),
                    unit * transferRounding);
}

}  // namespace spokelab
