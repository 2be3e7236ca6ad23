// Fills arrays for runs whose results nobody reads, such as timings.
#pragma once

#include <cstdint>

#include "cuda/device/complex.h"

namespace spokelab::gpu {

// Real and imaginary parts in [-1, 1), the same in every run.
void fillRandom(float2* values, std::int64_t count, cudaStream_t stream);
void fillRandom(double2* values, std::int64_t count, cudaStream_t stream);

}  // namespace spokelab::gpu
