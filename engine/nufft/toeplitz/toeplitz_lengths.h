// Circular lengths for the padded Toeplitz form, and which of them is fastest on this machine.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/nufft/problem/problem.h"

namespace spokelab {

// Smallest fast FFT lengths >= max(2 N - 1, alphaT N); 1 where N = 1. alphaT 0: the smallest.
Index3 toeplitzLengths(const NufftProblem& problem, double alphaT);

// The ratio of these lengths to the longest side.
double toeplitzAlphaOf(const NufftProblem& problem, double alphaT);

// Rising alpha_T of the longest side, each with another length: at most `maxCount`, up to 2.4.
std::vector<double> toeplitzAlphas(const NufftProblem& problem, std::size_t maxCount);

// The alpha_T that is fastest here, by timing the padded form at several lengths (0.1 s and more).
double fastestToeplitzAlpha(const NufftProblem& problem, int threads);

}  // namespace spokelab
