#include "engine/nufft/tune/normal_error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/nufft/plan/psf.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"

namespace spokelab {
namespace {

// Of the FFTs there and back, in units of the precision's roundoff times sqrt(log2 of the cells).
constexpr double convolutionRounding = 0.45;
constexpr std::size_t minLags = 16, maxLags = 256, maxTerms = 1 << 20;
constexpr std::size_t maxSampled = 1 << 16;  // points
constexpr unsigned seed = 8;
// Grids in units of the image.
constexpr double griddedCells = 1.4, toeplitzCells = 2.8;

// <|q|^2> at lags between two pixels, moved by a grid in one dimension. The sum
// over n points that are drawn from all has the mean n (n - 1) / M^2 |q|^2 + n / M sum w^2. Where that
// cannot be told from incoherent terms, |q|^2 is sum w^2.
double powerBeyond(const NufftProblem& problem, std::span<const double> points,
                   std::span<const double> weights, double gridOverImage, int threads) {
  const auto dims = std::size_t(problem.dims);
  const std::size_t count = points.size() / dims;
  if (count == 0) return 0;
  std::mt19937 random(seed);
  std::vector<std::size_t> taken(std::min(count, maxSampled));
  for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = i;
  if (count > maxSampled)
    for (std::size_t& j : taken) j = std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  const auto weightOf = [&](std::size_t j) { return weights.empty() ? 1.0 : weights[j]; };
  double squares = 0;
  for (std::size_t j = 0; j < count; ++j) squares += weightOf(j) * weightOf(j);

  std::uniform_real_distribution<double> pixel(0, 1);
  std::vector<std::array<double, 3>> lags(std::clamp(maxTerms / taken.size(), minLags, maxLags));
  for (std::size_t i = 0; i < lags.size(); ++i)
    for (std::size_t d = 0; d < dims; ++d) {
      const double far = d == i % dims ? (i & dims ? -gridOverImage : gridOverImage) : 0;
      lags[i][d] = std::nearbyint((far + pixel(random) - pixel(random)) * double(problem.size[d]));
    }
  std::vector<double> power(lags.size());
  parallelTasks(std::int64_t(lags.size()), threads, [&](std::int64_t i) {
    cdouble sum = 0;
    for (const std::size_t j : taken) {
      double turns = 0;
      for (std::size_t d = 0; d < dims; ++d) turns += lags[std::size_t(i)][d] * points[j * dims + d];
      sum += std::polar(weightOf(j), 2 * std::numbers::pi * (turns - std::nearbyint(turns)));
    }
    power[std::size_t(i)] = std::norm(sum);
  });
  double mean = 0;
  for (const double p : power) mean += p / double(lags.size());
  if (taken.size() == count) return mean;
  const double part = double(taken.size()) / double(count);
  const double coherent = (mean - part * squares) / (part * part);
  const double scatter = mean / (part * part) / std::sqrt(double(lags.size()));
  constexpr double significance = 3;
  return coherent - squares > significance * scatter ? coherent : squares;
}

double withoutRounding(const PredictedError& e) {
  return std::sqrt(std::max(0.0, e.relativeL2 * e.relativeL2 - e.rounding * e.rounding));
}

}  // namespace

FarLags farLags(const NufftProblem& problem, std::span<const double> points, std::span<const double> weights,
                int threads) {
  return {powerBeyond(problem, points, weights, griddedCells, threads),
          powerBeyond(problem, points, weights, toeplitzCells, threads)};
}

double predictNormalError(const NufftProblem& problem, const NufftOptions& options,
                          const PredictedError& error, double gain, const FarLags& far, std::int64_t points) {
  if (!(gain > 0)) return 0;
  const double scale = std::sqrt(double(problem.pixels())) / gain;
  if (!isToeplitz(options.normal))
    return std::sqrt(2.0) *
           std::hypot(scale * std::sqrt(far.gridded) * withoutRounding(error), error.roundingOfFewTerms);
  const PredictedError spread = pointSpreadError(problem, options, points);
  const double unit =
      0.5 * (problem.precision == Precision::single ? double(std::numeric_limits<float>::epsilon())
                                                    : std::numeric_limits<double>::epsilon());
  const bool shifted = options.normal == NormalMethod::toeplitzShifted;
  const double cells =
      double(product(shifted ? problem.size : toeplitzLengths(problem, options.toeplitzAlpha)));
  return std::hypot(
      scale * std::sqrt(far.toeplitz) * std::hypot(spread.lagAliasing, spread.polynomial, spread.rounding),
      convolutionRounding * unit * std::sqrt(std::log2(cells)));
}

}  // namespace spokelab
