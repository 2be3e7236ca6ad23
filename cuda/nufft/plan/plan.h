// The GPU's plans and what they would take.
#pragma once

#include <memory>

#include "cuda/device/device.h"
#include "engine/nufft/nufft.h"

namespace spokelab::gpu {

/// Throws Error where the accuracy cannot be reached, a method does not serve the problem, or memory is
/// short. The plan is also a DevicePointPlan (cuda/backend.h).
template <class Real>
std::unique_ptr<Nufft<Real>> makeNufft(const DeviceInfo& device, const NufftProblem& problem,
                                       const NufftOptions& options);

/// Bytes such a plan would take with `points` points, staging for host pointers included. Nothing is
/// allocated.
std::int64_t estimateMemory(const DeviceInfo& device, const NufftProblem& problem,
                            const NufftOptions& options, std::int64_t points);

/// Methods that serve the problem and are worth timing, most promising first. Others can be asked for by
/// name.
std::vector<Method> rankedMethods(const DeviceInfo& device, const NufftProblem& problem,
                                  const NufftOptions& options, bool spread);

}  // namespace spokelab::gpu
