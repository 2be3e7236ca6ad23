// The point spread function that the Toeplitz form convolves with, by a transform of twice the
// image size at a tenth of the accuracy asked for.
#pragma once

#include "cuda/device/device.h"
#include "cuda/nufft/toeplitz/toeplitz.h"
#include "engine/nufft/nufft.h"

namespace spokelab::gpu {

// coordinates: device, [count, dims] cycles per pixel. weights: device, null for ones. options:
// those of the plan. Synchronises; the plan that it makes is freed again. Throws Error (accuracy
// out of reach, memory).
template <class Real>
void setPointSpread(const DeviceInfo& device, const NufftProblem& problem, const NufftOptions& options,
                    const double* coordinates, std::int64_t count, const Real* weights,
                    ToeplitzOperator<Real>& target, cudaStream_t stream);

}  // namespace spokelab::gpu
