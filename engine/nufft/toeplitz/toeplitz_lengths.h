// Circular lengths for the padded Toeplitz form, and which of them is fastest on this machine.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/nufft/problem/problem.h"

namespace spokelab {

// Per dimension the smallest fast FFT length >= max(2 N - 1, alphaT N); 1 where N = 1. So alphaT 0
// gives the smallest fast lengths.
Index3 toeplitzLengths(const NufftProblem& problem, double alphaT);

// Rising alpha_T of the longest side, each with another length: at most `maxCount`, up to 2.4.
std::vector<double> toeplitzAlphas(const NufftProblem& problem, std::size_t maxCount);

// The alpha_T that applies fastest here, found by timing the padded form at several lengths (some
// tenths of a second).
double fastestToeplitzAlpha(const NufftProblem& problem, int threads);

}  // namespace spokelab
