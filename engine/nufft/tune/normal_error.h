// The predicted error of a normal operator N = A^H W A, relative to |N u| for iid normal data u.
//
// Errors of single terms of A are incoherent over the samples, while N's own terms add up where
// samples crowd: with e the error of a transform,
//   |E|_F = c e pixels sqrt(sum_j w_j^2),   c = sqrt(2) gridded (both transforms), 1 Toeplitz (e is
//                                           then that of the point spread function)
// relative to |N|_F. Random data tell that norm: |N u|^2 / |u|^2 has the mean |N|_F^2 / pixels.
// Rounding is relative to the result, whatever the weights.
#pragma once

#include <span>

#include "engine/nufft/nufft.h"

namespace spokelab {

// options: the plan's, resolved; error: its transforms'; gain: |N u| / |u| of random data u; weights:
// [M], or empty for ones.
double predictNormalError(const NufftProblem& problem, const NufftOptions& options,
                          const PredictedError& error, double gain, std::span<const double> weights,
                          std::int64_t points);

}  // namespace spokelab
