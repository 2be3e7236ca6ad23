#include "engine/nufft/tune/normal/normal_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/nufft/plan/psf.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"

namespace spokelab {
namespace {

// Rounding of the two FFTs, in units of roundoff times sqrt(passes), and of the stored transfer
// function, in units of roundoff. The padded image has 2^dims times the image's pixels, so that
// 2^-dims of the power of the FFTs' error falls on the image.
constexpr double convolutionRounding = 0.92;
constexpr double transferRounding = 0.5;
// A longer image is sampled at evenly spaced pixels.
constexpr std::int64_t maxPlaces = 256;
// Aliases counted on each side; those beyond aliasOrders have the power of order +1 or -1.
constexpr int countedOrders = 4;
// r_p(x) = h(x + p G) / h(x): the weight of alias p at pixel x.
using Aliases = std::array<double, 2 * countedOrders>;

Aliases aliasesAt(const Kernel& kernel, double x, std::int64_t grid) {
  Aliases aliases{};
  const double own = kernel.transform(x / double(grid));
  for (std::size_t p = 0; p < aliases.size(); ++p)
    aliases[p] = kernel.transform(x / double(grid) + aliasOrder(int(p))) / own;
  return aliases;
}

// Adds an entry of the operator to the sums of its lag.
void add(const Aliases& entry, AliasFactors::Mean& sum, AliasFactors::Products& products) {
  for (std::size_t p = 0; p < aliasCount; ++p) {
    sum[p] += entry[p];
    for (std::size_t q = 0; q < aliasCount; ++q) products[p * aliasCount + q] += entry[p] * entry[q];
  }
  for (std::size_t p = aliasCount; p < entry.size(); ++p)
    products[(p % 2) * (aliasCount + 1)] += entry[p] * entry[p];
}

AliasFactors factorsOf(std::int64_t n) {
  AliasFactors factors;
  factors.count = std::min(n, maxPlaces);
  factors.step = double(n) / double(factors.count);
  factors.mean.resize(std::size_t(2 * factors.count - 1));
  factors.products.resize(factors.mean.size());
  return factors;
}

// Factors of the gridded operator at lag m - n: r_p(m) of the adjoint plus r_{-p}(n) of forward.
AliasFactors griddedFactors(const Kernel& kernel, std::int64_t n, std::int64_t grid) {
  AliasFactors factors = factorsOf(n);
  const auto count = std::size_t(factors.count);
  std::vector<Aliases> aliases;
  for (std::size_t i = 0; i < count; ++i)
    aliases.push_back(aliasesAt(kernel, -double(n / 2) + (double(i) + 0.5) * factors.step - 0.5, grid));
  for (std::size_t m = 0; m < count; ++m)
    for (std::size_t other = 0; other < count; ++other) {
      const std::size_t lag = m + count - 1 - other;
      Aliases both{};
      for (std::size_t p = 0; p < both.size(); ++p)  // the index of order -p is p ^ 1
        both[p] = aliases[m][p] + aliases[other][p ^ 1U];
      add(both, factors.mean[lag], factors.products[lag]);
    }
  for (std::size_t lag = 0; lag < factors.mean.size(); ++lag) {
    const double entries = double(count) - std::abs(double(lag) - double(count - 1));
    for (double& v : factors.mean[lag]) v /= entries;
    for (double& v : factors.products[lag]) v /= entries;
  }
  return factors;
}

// Factors of a point spread function, whose pixels are lags. half: only lags from 0 on are stored;
// the value at -l is the conjugate, so that p and -p change places.
AliasFactors pointSpreadFactors(const PointSpreadPlan& psf, std::size_t d, std::int64_t n, bool half) {
  AliasFactors factors = factorsOf(n);
  const std::int64_t last = factors.count - 1;
  for (std::int64_t i = -last; i <= last; ++i) {
    const double lag = double(i) * factors.step, x = half ? std::abs(lag) - double(n / 2) : lag;
    Aliases aliases = aliasesAt(psf.kernel, x, psf.grid[d]);
    if (half && i < 0)
      for (std::size_t p = 0; p < aliases.size(); p += 2) std::swap(aliases[p], aliases[p + 1]);
    add(aliases, factors.mean[std::size_t(i + last)], factors.products[std::size_t(i + last)]);
  }
  return factors;
}

// Passes of an FFT that round: log2 of its length, four times as many for primes above 31 (FFTW).
double passesOf(std::int64_t length) {
  constexpr std::int64_t largestOwnFactor = 31;
  constexpr double ofConvolution = 4;
  std::int64_t rest = length;
  for (std::int64_t p = 2; p <= largestOwnFactor; ++p)
    while (rest % p == 0) rest /= p;
  return (rest > 1 ? ofConvolution : 1) * std::log2(double(length));
}

}  // namespace

double predictNormalError(const NufftProblem& problem, const NufftOptions& options, const Index3& grid,
                          const PredictedError& error, double gain, const FarLags& far, std::int64_t points) {
  if (!(gain > 0) || points == 0) return 0;
  const auto dims = std::size_t(problem.dims);
  const double scale = std::sqrt(double(problem.pixels())) / gain;
  double power = 0;  // <|E_mn|^2>
  std::vector<AliasFactors> factors;
  const bool hasKernel = options.width > 0 && options.alpha > 0 && options.kernel != KernelType::automatic;
  if (!isToeplitz(options.normal)) {
    // A plug-in's plan: only its accuracy is known.
    if (!hasKernel) return error.relativeL2 / transformShare(NormalMethod::gridded);
    const Kernel kernel(options.kernel, options.width, options.alpha);
    for (std::size_t d = 0; d < dims; ++d) {
      factors.push_back(griddedFactors(kernel, problem.size[d], grid[d]));
      power += 2 * error.polynomial * error.polynomial * far.meanPower(grid, int(d)) / double(dims);
    }
    power += far.aliasPower(grid, factors);
    return std::hypot(scale * std::sqrt(std::max(0.0, power)), std::sqrt(2.0) * error.roundingOfFewTerms);
  }
  const PointSpreadPlan psf = pointSpreadPlan(problem, options, points);
  for (std::size_t d = 0; d < dims; ++d) {
    factors.push_back(pointSpreadFactors(psf, d, problem.size[d], d + 1 == dims));
    power += psf.error.polynomial * psf.error.polynomial * far.meanPower(psf.grid, int(d)) / double(dims);
  }
  power += far.aliasPower(psf.grid, factors);
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
