// Samples whose adjoint is the point spread function q of weighted points, from lag 0 on along the
// last dimension: the other half follows from q(-l) = conj(q(l)).
#pragma once

#include <cstdint>

#include "cuda/device/complex.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab::gpu {

// samples[j] = w_j e^{-s 2 pi i floor(N/2) k_j}, N and k of the last dimension, s the problem's
// sign. weights: device, null for ones; coordinates: device, [count, dims] cycles per pixel.
// Real: the plan's precision; Work: the precision in which the point spread function is computed.
template <class Real, class Work>
void makePsfSamples(const NufftProblem& problem, const double* coordinates, const Real* weights,
                    Complex<Work>* samples, std::int64_t count, cudaStream_t stream);

}  // namespace spokelab::gpu
