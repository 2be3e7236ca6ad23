// The predicted error of a normal operator N = A^H W A, relative to |N u| for iid normal data u.
//
// N's entries are q(n - m) with q(l) = sum_j w_j e^{2 pi i l . k_j}. An alias of a kernel adds to each
// entry what q is at lags beyond the oversampled grid: with e the error of a transform,
//   |E|_F^2 = c e^2 pixels^2 <|q(l)|^2>,   l beyond the grid,
// c = 2 gridded (both transforms), 1 Toeplitz (e is then that of the point spread function). Random
// data tell N's own norm: |N u|^2 / |u|^2 has the mean |N|_F^2 / pixels. Rounding is relative to the
// result, whatever the points.
#pragma once

#include <span>

#include "engine/nufft/nufft.h"

namespace spokelab {

// <|q(l)|^2> over some random lags beyond the grids of gridded transforms, and of the point spread
// function. weights: [M], or empty for ones.
struct FarLags {
  double gridded = 0, toeplitz = 0;
};
FarLags farLags(const NufftProblem& problem, std::span<const double> points, std::span<const double> weights,
                int threads);

// options: the plan's, resolved; error: its transforms'; gain: |N u| / |u| of random data u.
double predictNormalError(const NufftProblem& problem, const NufftOptions& options,
                          const PredictedError& error, double gain, const FarLags& far, std::int64_t points);

}  // namespace spokelab
