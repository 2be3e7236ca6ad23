// Predicted error of gridding ([formulas]): the relative l2 error that a user measures, and the
// worst pixel ([gnufftw] eq. 8, "maximum aliasing amplitude"). Both include rounding, which rules
// out small alpha with wide kernels in float.
#pragma once

#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/kernel/predicted_error.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

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
