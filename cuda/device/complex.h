// Complex values in device memory.
#pragma once

#include <type_traits>

#include <cuda_runtime.h>

namespace spokelab::gpu {

template <class Real>
using Complex = std::conditional_t<std::is_same_v<Real, float>, float2, double2>;

}  // namespace spokelab::gpu
