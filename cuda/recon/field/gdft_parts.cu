#include "cuda/recon/field/gdft_parts.h"

#include "cuda/device/check.h"
#include "cuda/device/launch.cuh"

namespace spokelab::gpu {
namespace {

__global__ void addRowsKernel(const float2* rows, double2* sums, std::int64_t outputs, std::int64_t count) {
  const std::int64_t i = globalThread();
  if (i >= outputs) return;
  double2 sum = sums[i];
  for (std::int64_t row = 0; row < count; ++row) {
    const float2 part = rows[row * outputs + i];
    sum.x += double(part.x);
    sum.y += double(part.y);
  }
  sums[i] = sum;
}

__global__ void roundSums(const double2* sums, float2* out, std::int64_t count) {
  const std::int64_t i = globalThread();
  if (i < count) out[i] = make_float2(float(sums[i].x), float(sums[i].y));
}

}  // namespace

void GdftSums::begin(std::int64_t outputs, cudaStream_t stream) {
  sums_.resize(outputs);
  sums_.zero(stream);
}

void GdftSums::addRows(std::int64_t rows, cudaStream_t stream) {
  addRowsKernel<<<blocksFor(sums_.size()), threadsPerBlock, 0, stream>>>(rows_.data(), sums_.data(),
                                                                         sums_.size(), rows);
  checkLaunch("adding the parts of a field-corrected transform");
}

void GdftSums::round(float2* out, cudaStream_t stream) const {
  roundSums<<<blocksFor(sums_.size()), threadsPerBlock, 0, stream>>>(sums_.data(), out, sums_.size());
  checkLaunch("summing a field-corrected transform");
}

}  // namespace spokelab::gpu
