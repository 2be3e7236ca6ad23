// The points of a plug-in's plan, axis by axis.
#pragma once

#include <array>
#include <cstdint>

#include <cuda_runtime.h>

namespace spokelab::gpu {

// axes[d][j] = points[j, d] / divisors[d] without its whole number, within -1/2 ... 1/2; null
// beyond the dimensions. Sets *notFinite where a coordinate is not a number. All arrays are the
// device's.
void splitAxes(const double* points, std::int64_t count, int dims, const std::array<double, 3>& divisors,
               const std::array<double*, 3>& axes, int* notFinite, cudaStream_t stream);

}  // namespace spokelab::gpu
