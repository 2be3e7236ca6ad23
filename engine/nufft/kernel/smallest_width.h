// The smallest kernel that reaches an accuracy, by the error model.
#pragma once

#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

// Share of the accuracy that a plan of our own choice may use up by its PredictedError::bound: the
// rms over the accuracy contract's 8 draws scatters by a fifth where there are few outputs.
inline constexpr double contractMargin = 0.8;

// True if PredictedError::bound, with a polynomial fitted to polynomialTolerance, is <=
// contractMargin accuracy. False if such a kernel does not exist.
bool meetsAccuracy(const NufftProblem& problem, KernelType kernel, double alpha, double width,
                   double accuracy);

// Smallest width (in steps of 1/64 cell) that meets the accuracy. 0 where none up to maxKernelWidth
// does: the accuracy is then out of reach for this precision, size and alpha. Results are cached.
double smallestWidth(const NufftProblem& problem, KernelType kernel, double alpha, double accuracy);

}  // namespace spokelab
