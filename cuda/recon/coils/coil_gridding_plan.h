// The GPU's plan that also grids all coils of a slice in one call (CoilGridder).
#pragma once

#include <memory>

#include "cuda/device/device.h"
#include "engine/nufft/nufft.h"

namespace spokelab::gpu {

// As CudaNufft (cuda/nufft/plan/plan.h).
template <class Real>
std::unique_ptr<Nufft<Real>> makeCoilGriddingPlan(const DeviceInfo& device, const NufftProblem& problem,
                                                  const NufftOptions& options);

}  // namespace spokelab::gpu
