#include "cuda/device/values/largest.h"

#include <algorithm>

#include "cuda/device/launch.cuh"

namespace spokelab::gpu {
namespace {

// Infinite values count as this value, so that the scale is a finite number.
constexpr float maxFiniteScale = 3e38f;

// *largest becomes the largest |component| of `count` complex values; NaN and infinity set
// *notFinite, if given.
__global__ void largestOf(const float2* values, std::int64_t count, float* largest, int* notFinite) {
  float own = 0;
  bool finite = true;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += std::int64_t(gridDim.x) * blockDim.x) {
    const float2 v = values[i];
    const float m = fmaxf(fabsf(v.x), fabsf(v.y));
    finite = finite && isfinite(v.x) && isfinite(v.y);
    own = fmaxf(own, m);
  }
  for (int step = 16; step > 0; step /= 2) own = fmaxf(own, __shfl_xor_sync(~0u, own, step));
  if ((threadIdx.x & 31) == 0 && own > 0)
    // Positive floats order as integers do.
    atomicMax(reinterpret_cast<int*>(largest), __float_as_int(fminf(own, maxFiniteScale)));
  if (!finite && notFinite) *notFinite = 1;
}

// Enough blocks to fill the device; each thread takes many values.
constexpr unsigned maxReductionBlocks = 1024;

}  // namespace

void findLargest(const float2* values, std::int64_t count, float* largest, int* notFinite,
                 cudaStream_t stream) {
  largestOf<<<std::min(blocksFor(count), maxReductionBlocks), threadsPerBlock, 0, stream>>>(
      values, count, largest, notFinite);
  checkLaunch("finding the largest value");
}

}  // namespace spokelab::gpu
