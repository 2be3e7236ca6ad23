#include "cuda/device/values/random_values.h"

#include "cuda/device/launch.cuh"

namespace spokelab::gpu {
namespace {

// A hash of i (two rounds of multiply and shift), as a number in [-1, 1).
__device__ float randomValue(std::uint64_t i) {
  i = (i + 1) * 0x9e3779b97f4a7c15ull;
  i = (i ^ (i >> 32)) * 0xd6e8feb86659fd93ull;
  return float(int(i >> 32)) * 0x1p-31f;
}

template <class Value>
__global__ void fill(Value* values, std::int64_t count) {
  const std::int64_t i = globalThread();
  if (i < count) values[i] = {randomValue(2 * std::uint64_t(i)), randomValue(2 * std::uint64_t(i) + 1)};
}

template <class Value>
void launchFill(Value* values, std::int64_t count, cudaStream_t stream) {
  if (count == 0) return;
  fill<<<blocksFor(count), threadsPerBlock, 0, stream>>>(values, count);
  checkLaunch("filling in random values");
}

}  // namespace

void fillRandom(float2* values, std::int64_t count, cudaStream_t stream) {
  launchFill(values, count, stream);
}

void fillRandom(double2* values, std::int64_t count, cudaStream_t stream) {
  launchFill(values, count, stream);
}

}  // namespace spokelab::gpu
