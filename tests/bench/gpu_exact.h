// Exact sums at selected outputs, in double, on the GPU that is measured. The bench checks every
// answer with them. Independent of the engine: each term's phase is computed by sincospi, with no
// table of kernels and no grid.
//
//   forward: y_j = sum_n f_n e^{sign 2 pi i n.k_j},   adjoint: z_n = sum_j c_j e^{-sign 2 pi i n.k_j},  n from -N/2
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "engine/nufft/problem/problem.h"

namespace spokelab::bench {

// points: device, [M, dims], cycles per pixel; input: device, image [z, y, x] or samples [M].
// selection: indices of samples (forward) or of pixels (adjoint). Throws std::runtime_error for a
// CUDA error.
template <class Real>
std::vector<std::complex<double>> exactSums(const NufftProblem& problem, bool adjoint, const double* points,
                                            std::int64_t count, const std::complex<Real>* input,
                                            const std::vector<std::int64_t>& selection);

}  // namespace spokelab::bench
