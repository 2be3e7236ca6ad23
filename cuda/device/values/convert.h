// Converts the host's double values on the device, so the host needs no converted copy.
#pragma once

#include <array>
#include <cstdint>

#include <cuda_runtime.h>

namespace spokelab::gpu {

// to[i] = from[i] / divisor, for `count` values in device memory.
void convertValues(const double* from, float* to, std::int64_t count, cudaStream_t stream,
                   double divisor = 1);
// to[i] = from[i]; the imaginary parts are 0.
void convertValues(const double* from, float2* to, std::int64_t count, cudaStream_t stream);

// values[j, d] /= divisors[d], for `count` rows of `dims` values in device memory.
void divideRows(double* values, std::int64_t count, int dims, const std::array<double, 3>& divisors,
                cudaStream_t stream);

}  // namespace spokelab::gpu
