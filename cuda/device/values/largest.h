// The largest component of complex values: the same whatever order they are looked at.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace spokelab::gpu {

// *largest (device, cleared by the caller) becomes the largest |component| of `count` values;
// infinite ones count as 3e38. NaN and infinity set *notFinite, if given.
void findLargest(const float2* values, std::int64_t count, float* largest, int* notFinite,
                 cudaStream_t stream);

}  // namespace spokelab::gpu
