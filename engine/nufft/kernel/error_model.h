// Predicted error of gridding ([formulas]): the relative l2 error that a user measures, and the
// worst pixel ([gnufftw] eq. 8, "maximum aliasing amplitude"). Both include rounding, which rules
// out small alpha with wide kernels in float.
#pragma once

#include <cstdint>

#include "engine/nufft/kernel/crowding.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

struct PredictedError {
  double relativeL2 = 0;  // aliasing + polynomial + rounding, root of the sum of squares
  // sqrt(prod_d (1 + <eps_d^2>) - 1): the mean over pixels and over places of the points.
  double aliasing = 0;
  double worstPixel = 0;  // the same with the maximum over pixels
  // The mean over pixels, for points that all lie at the worst place between grid cells.
  double worstPosition = 0;
  double polynomial = 0;  // share of the piecewise polynomial
  // The number that must not exceed the accuracy asked for: relativeL2 with worstPosition in the
  // place of aliasing, which holds for every set of points; or worstPixel, if the problem's measure
  // says so.
  double bound = 0;
  // c u prod_d rms_FOV(1/h) rms_G(h), and a floor. It counts the largest number of terms that are
  // summed in a cell at one level (crowding.h), so it holds for all places of points.
  double rounding = 0;
  double roundingOfFewTerms = 0;
  // prod_d rms_FOV(1/h): what noise in the grid's cells becomes in the image, both relative to the
  // samples (l2 norms).
  double noiseGain = 1;
  std::int64_t crowdLimit = minCrowdLimit;  // points of a block that are summed at one level
};

// grid: oversampled grid size per dimension. polynomialDeviation: KernelPolynomial::deviation.
// accuracy: what is asked of the plan, which sets the limit of a crowd; 0: the lowest limit.
PredictedError predictError(const NufftProblem& problem, const Kernel& kernel, const Index3& grid,
                            double polynomialDeviation, double accuracy = 0);

// The error that is to be expected of one pixel (from 0 in each dimension), where samples have
// random phases: its standard deviation relative to the root mean square of the image. error:
// predictError's of the same plan.
double predictPixelError(const NufftProblem& problem, const Kernel& kernel, const Index3& grid,
                         const PredictedError& error, const Index3& pixel);

// Deviation that fitKernel may leave so that the polynomial's share of the error is a tenth of
// `accuracy`: at small alpha 1/h amplifies it.
double polynomialTolerance(const NufftProblem& problem, const Kernel& kernel, const Index3& grid,
                           double accuracy);

}  // namespace spokelab
