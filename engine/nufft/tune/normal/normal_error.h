// The predicted error of a normal operator N = A^H W A, relative to |N u| for iid normal data u.
//
// N's entries are q(m - n) with q(l) = sum_j w_j e^{2 pi i l . k_j}. A transform sees pixel n also grids G away, weaker by
// r_p(x) = h(x + p G) / h(x), so that along each dimension d an alias p = +-1, +-2, ... adds
//   gridded    (r_p(m) + r_{-p}(n)) q(m - n + p G e_d)   in the transforms back and there
//   Toeplitz   r_p(l) q(l + p G e_d), l = m - n          in the point spread function (plan/psf.h), whose pixels are lags
// to an entry. |E|_F^2 sums the squares of what all of them add (far_lags.h); that of a kernel's polynomial and of
// rounding is added. Random data tell N's own norm: |N u|^2 / |u|^2 has the mean |N|_F^2 / pixels. What rounding adds is
// relative to the result.
#pragma once

#include "engine/nufft/nufft.h"
#include "engine/nufft/tune/normal/far_lags.h"

namespace spokelab {

// options: the plan's, resolved; grid: the plan's; error: its transforms'; gain: |N u| / |u| of random data u.
double predictNormalError(const NufftProblem& problem, const NufftOptions& options, const Index3& grid,
                          const PredictedError& error, double gain, const FarLags& far, std::int64_t points);

}  // namespace spokelab
