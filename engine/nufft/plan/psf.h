// The point spread function that the Toeplitz form convolves with (toeplitz.h): q(l) for |l_d| <
// N_d, in the last dimension for l >= 0 only, because the other half is its conjugate. It is made
// by one adjoint transform of about twice the image size, and the missing half halves the grid of
// this transform. Its accuracy is a tenth of the accuracy asked for, or three tenths where the
// precision does not reach a tenth. Sources: [gnufftw] III.C, [formulas].
#pragma once

#include <span>

#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/toeplitz/toeplitz.h"

namespace spokelab {

// The most bytes that setPointSpread takes for a moment. It takes the first of its grids that fits
// into `available` bytes (<= 0: no limit), or the smallest if none does. Throws Error where a finer
// accuracy cannot be had.
std::int64_t estimatePointSpread(const NufftProblem& problem, const NufftOptions& options,
                                 std::int64_t points, std::int64_t available);

// The adjoint transform that makes the point spread function: its image of lags, its kernel and
// grid, its predicted error.
struct PointSpreadPlan {
  NufftProblem lags;
  Kernel kernel;
  Index3 grid;
  PredictedError error;
};
// Throws Error where a finer accuracy cannot be had.
PointSpreadPlan pointSpreadPlan(const NufftProblem& problem, const NufftOptions& options,
                                std::int64_t points);

// points: [M, dims], cycles per pixel; weights: [M], or empty for ones; options: the plan's,
// resolved. Throws Error where a finer accuracy cannot be had.
template <class Real>
void setPointSpread(const NufftProblem& problem, const NufftOptions& options, std::span<const double> points,
                    std::span<const double> weights, std::int64_t available, ToeplitzOperator<Real>& target);

extern template void setPointSpread(const NufftProblem&, const NufftOptions&, std::span<const double>,
                                    std::span<const double>, std::int64_t, ToeplitzOperator<float>&);
extern template void setPointSpread(const NufftProblem&, const NufftOptions&, std::span<const double>,
                                    std::span<const double>, std::int64_t, ToeplitzOperator<double>&);

}  // namespace spokelab
