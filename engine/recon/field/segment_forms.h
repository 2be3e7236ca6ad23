// Segments of phases that are no field times time (PhaseForms): the matrix
//   P_jn = e^{-i (dw_n t_j + 2 pi sum_f turns_fj places_fn)} ~ sum_l b_l(j) c_l(n)
// has a low rank, as its phases are smooth in few numbers of a pixel and of a sample. The singular
// vectors u, v of P at some samples and pixels, drawn at random, give
//   c_l(n) = u_l^H P_.n / sigma_l,   b_l(j) = P_j. v_l
// for all others. The error is the rms at other samples and pixels than those.
#pragma once

#include "engine/recon/field/segmented.h"

namespace spokelab {

inline constexpr std::int64_t maxSegments = 96;

// segments 0: the fewest that bring `predicted` to the accuracy. Throws Error, Cancelled.
Segmentation segmentForms(const GdftProblem& problem, std::int64_t segments, double accuracy,
                          const Progress& progress);

}  // namespace spokelab
