// Transforms of type 3 on the GPU: the steps of engine's type3.h, the inner transform a GPU plan.
// Places and factors are computed on the host, when points are set, and stay on the device. Values
// may lie in host or device memory; the batch is worked through some images at a time.
#pragma once

#include <memory>

#include "cuda/device/device.h"
#include "engine/nufft/type3/type3_transform.h"

namespace spokelab::gpu {

// Throws Error for options out of range.
template <class Real>
std::unique_ptr<Type3Transform<Real>> makeCudaType3(const DeviceInfo& device, const Type3Problem& problem,
                                                    const NufftOptions& options);

}  // namespace spokelab::gpu
