// The error that an approximation of a field's phase makes, predicted from the approximation
// itself, before anything is transformed.
#pragma once

#include <span>
#include <vector>

#include "engine/recon/field/gdft/gdft_problem.h"
#include "engine/recon/field/segmented.h"

namespace spokelab {

// Relative l2 error without field and decay: rms of e^{-(i dw + R) t} - 1 over pixels, samples.
double errorWithoutField(const GdftProblem& problem);

// Relative l2 difference of GdftR2 from Gdft: rms of prod_d sinc(k_d / N_d + G_d t) - 1.
double errorWithoutIntravoxel(const GdftProblem& problem);

// Relative l2 error of the normal operator A^H W A, from the phases alone, for iid normal data:
//   |E|_F / |N|_F,   N_nm = sum_j w_j e^{2 pi i k_j . (r_n - r_m)} e^{i (dw_n - dw_m) t_j}
// E takes the approximated phases instead: conj(a_n) a_m of a segmented transform, or the ones of
// `differences`. It is estimated from some rows of E u and N u for random u; in large problems from
// some pairs of pixels: equal ones, neighbours, and others, each weighted for all of its kind.
// weights: [sample], or empty for ones.
double predictPhaseError(const GdftProblem& problem, std::span<const double> weights,
                         const Segmentation& segmentation, bool differences, int threads);

}  // namespace spokelab
