#include "cuda/recon/field/gdft_parts.h"

#include "cuda/device/check.h"
#include "cuda/device/launch.cuh"

namespace spokelab::gpu {
namespace {

__global__ void roundSums(const double2* sums, float2* out, std::int64_t count) {
  const std::int64_t i = globalThread();
  if (i < count) out[i] = make_float2(float(sums[i].x), float(sums[i].y));
}

}  // namespace

void launchRound(const double2* sums, float2* out, std::int64_t count, cudaStream_t stream) {
  roundSums<<<blocksFor(count), threadsPerBlock, 0, stream>>>(sums, out, count);
  checkLaunch("summing a field-corrected transform");
}

}  // namespace spokelab::gpu
