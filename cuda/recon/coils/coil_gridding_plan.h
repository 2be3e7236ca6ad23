// The GPU's plan that also grids all coils of a slice in one call (CoilGridder).
#pragma once

#include <memory>

#include "cuda/device/device.h"
#include "engine/nufft/nufft.h"

namespace spokelab::gpu {

// As CudaNufft (cuda/nufft/plan/plan.h); the plan is also a DevicePointPlan, a PointSetPlan and a
// CoilGridder. sets: of points that are set together.
template <class Real>
std::unique_ptr<Nufft<Real>> makeCoilGriddingPlan(const DeviceInfo& device, const NufftProblem& problem,
                                                  const NufftOptions& options, std::int64_t sets = 1);

}  // namespace spokelab::gpu
