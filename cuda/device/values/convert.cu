#include "cuda/device/values/convert.h"

#include "cuda/device/launch.cuh"

namespace spokelab::gpu {
namespace {

__device__ __forceinline__ void store(float* to, double value) {
  *to = float(value);
}

__device__ __forceinline__ void store(float2* to, double value) {
  *to = {float(value), 0};
}

template <class To>
__global__ void convertKernel(const double* from, To* to, std::int64_t count, double divisor) {
  const std::int64_t i = globalThread();
  if (i < count) store(to + i, from[i] / divisor);
}

template <class To>
void convert(const double* from, To* to, std::int64_t count, cudaStream_t stream, double divisor) {
  if (count == 0) return;
  convertKernel<<<blocksFor(count), threadsPerBlock, 0, stream>>>(from, to, count, divisor);
  checkLaunch("converting values");
}

__global__ void divideKernel(double* values, std::int64_t count, int dims, double3 divisors) {
  const std::int64_t i = globalThread();
  if (i >= count) return;
  const int d = int(i % dims);
  values[i] /= d == 0 ? divisors.x : d == 1 ? divisors.y : divisors.z;
}

}  // namespace

void convertValues(const double* from, float* to, std::int64_t count, cudaStream_t stream, double divisor) {
  convert(from, to, count, stream, divisor);
}

void convertValues(const double* from, float2* to, std::int64_t count, cudaStream_t stream) {
  convert(from, to, count, stream, 1);
}

void divideRows(double* values, std::int64_t count, int dims, const std::array<double, 3>& divisors,
                cudaStream_t stream) {
  if (count == 0) return;
  divideKernel<<<blocksFor(count * dims), threadsPerBlock, 0, stream>>>(
      values, count * dims, dims, double3{divisors[0], divisors[1], divisors[2]});
  checkLaunch("dividing coordinates");
}

}  // namespace spokelab::gpu
