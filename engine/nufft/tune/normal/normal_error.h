// Predicts the error of a normal operator N = A^H W A, relative to |N u| for iid normal data u.
//
// N has the entries q(m - n) with q(l) = sum_j w_j e^{2 pi i l . k_j}. A transform also sees pixel
// n at distances p G, weaker by r_p(x) = h(x + p G) / h(x). Along each dimension d an alias p =
// +-1, +-2, ... therefore adds to an entry
//   gridded    (r_p(m) + r_{-p}(n)) q(m - n + p G e_d)   in the transforms back and there
//   Toeplitz   r_p(l) q(l + p G e_d), l = m - n   in the point spread function (plan/psf.h)
// |E|_F^2 sums the squares of all aliases (far_lags.h), and adds the kernel polynomial's error and
// rounding, which is relative to the result. Random data give N's own norm: |N u|^2 / |u|^2 has the
// mean |N|_F^2 / pixels.
#pragma once

#include "engine/nufft/nufft.h"
#include "engine/nufft/tune/normal/far_lags.h"

namespace spokelab {

// options, grid: of the plan, resolved. error: of its transforms. gain: |N u| / |u| of random data
// u.
double predictNormalError(const NufftProblem& problem, const NufftOptions& options, const Index3& grid,
                          const PredictedError& error, double gain, const FarLags& far, std::int64_t points);

}  // namespace spokelab
