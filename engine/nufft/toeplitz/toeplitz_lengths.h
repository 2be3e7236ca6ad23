// Circular lengths for the padded Toeplitz form, and which of them is fastest on this machine.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/nufft/problem/problem.h"

namespace spokelab {

// Circular lengths of the padded form. alphaT 0: the smallest fast ones; 1 where the image has one
// pixel.
Index3 toeplitzLengths(const NufftProblem& problem, double alphaT);

// Ascending values of alpha_T whose lengths differ, up to `maxCount` of them or alpha_T = 2.4.
std::vector<double> toeplitzAlphas(const NufftProblem& problem, std::size_t maxCount);

// The alpha_T that applies fastest here, found by timing the padded form at several lengths (some
// tenths of a second).
double fastestToeplitzAlpha(const NufftProblem& problem, int threads);

}  // namespace spokelab
