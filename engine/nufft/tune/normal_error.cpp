#include "engine/nufft/tune/normal_error.h"

#include <cmath>
#include <limits>

#include "engine/nufft/plan/psf.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"

namespace spokelab {
namespace {

// Of the FFTs there and back, in units of the precision's roundoff times sqrt(log2 of the cells).
constexpr double convolutionRounding = 0.45;

double withoutRounding(const PredictedError& e) {
  return std::sqrt(std::max(0.0, e.relativeL2 * e.relativeL2 - e.rounding * e.rounding));
}

}  // namespace

double predictNormalError(const NufftProblem& problem, const NufftOptions& options,
                          const PredictedError& error, double gain, std::span<const double> weights,
                          std::int64_t points) {
  if (!(gain > 0)) return 0;
  double squares = weights.empty() ? double(points) : 0;
  for (const double w : weights) squares += w * w;
  const double incoherent = std::sqrt(double(problem.pixels()) * squares) / gain;
  if (!isToeplitz(options.normal))
    return std::sqrt(2.0) * std::hypot(incoherent * withoutRounding(error), error.roundingOfFewTerms);
  const PredictedError spread = pointSpreadError(problem, options, points);
  const double unit =
      0.5 * (problem.precision == Precision::single ? double(std::numeric_limits<float>::epsilon())
                                                    : std::numeric_limits<double>::epsilon());
  const bool shifted = options.normal == NormalMethod::toeplitzShifted;
  const double cells =
      double(product(shifted ? problem.size : toeplitzLengths(problem, options.toeplitzAlpha)));
  return std::hypot(incoherent * spread.relativeL2, convolutionRounding * unit * std::sqrt(std::log2(cells)));
}

}  // namespace spokelab
