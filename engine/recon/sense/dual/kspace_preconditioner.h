// A diagonal preconditioner in k-space (Ong, Uecker, Lustig 2020): P = argmin |P A A^H - 1|_F over
// diagonal P, A = W^{1/2} E the weighted model of SENSE. Its entry of coil c and sample k is
//   p = |S_c|^2 / sum_{c', k'} w_k' |sum_n S_c(n) conj(S_c'(n)) e^{-2 pi i n . (k - k')}|^2
//     = |S_c|^2 / sum_l e^{-2 pi i k . l} R_c(l) q(l)
// with q(l) = sum_k' w_k' e^{2 pi i k' . l}, the point spread function, and R_c(l) = sum_n S_c(n)
// conj(S_c(n - l)) sum_c' conj(S_c'(n)) S_c'(n - l), lags l of a twofold image. Maps are smooth, so
// that R_c comes from maps of few pixels, and is interpolated between its lags.
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/sense/sense_problem.h"

namespace spokelab {

// [coil, sample] of all samples in one group, for weights w / total. Throws Error, Cancelled.
std::vector<double> kspacePreconditioner(const SenseProblem& problem, double total, const Progress& progress);

}  // namespace spokelab
