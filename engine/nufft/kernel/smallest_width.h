// The smallest kernel that reaches an accuracy (relative L2 error), by the error model.
#pragma once

#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

// Largest PredictedError::bound / accuracy of a plan that resolveOptions() chooses. The rest is a
// reserve: with few outputs the root mean square over the 8 draws of the accuracy contract
// (measure_error.h) scatters by a fifth.
inline constexpr double contractMargin = 0.8;

// True if PredictedError::bound <= contractMargin * accuracy, with a polynomial fitted to
// polynomialTolerance. False also if a kernel with this alpha and width does not exist.
bool meetsAccuracy(const NufftProblem& problem, KernelType kernel, double alpha, double width,
                   double accuracy);

// Smallest width in cells (steps of 1/64) that meets the accuracy; 0: out of reach up to
// maxKernelWidth, for this precision, size and alpha. Results are cached; safe from all threads.
double smallestWidth(const NufftProblem& problem, KernelType kernel, double alpha, double accuracy);

}  // namespace spokelab
