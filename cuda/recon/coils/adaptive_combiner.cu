#include "cuda/recon/coils/adaptive_combiner.h"

#include <algorithm>
#include <vector>

#include "cuda/device/stream.h"
#include "cuda/device/values/largest.h"
#include "cuda/recon/coils/block_vector.cuh"
#include "cuda/recon/coils/device_maps.h"
#include "engine/recon/coils/local_covariance.h"

namespace spokelab::gpu {
namespace {

// Every `step`th pixel of values [pixel, coil], to out [coil, count].
__global__ void samplePixels(const float2* values, int coils, std::int64_t step, std::int64_t count,
                             float2* out) {
  const std::int64_t i = globalThread();
  if (i >= count * coils) return;
  const std::int64_t c = i / count, pixel = (i - c * count) * step;
  out[i] = values[pixel * coils + c];
}

// out = v^H c in each pixel: v the dominant vector of the block around it, c its coils.
template <int Lanes>
__global__ void __launch_bounds__(blockVectorThreads)
    combineBlocks(Blocks p, const float2* values, const float2* references, float2* out) {
  const std::int64_t pixels = std::int64_t(p.size[0]) * p.size[1] * p.size[2], own = globalThread() / Lanes,
                     pixel = own < pixels ? own : pixels - 1;
  const int coil = int(threadIdx.x) % Lanes;
  const bool takes = coil < p.coils;
  float trace = 0;
  const float2 vector =
      blockVector<Lanes>(p, values, pixel, coil, takes ? references[coil] : float2{0, 0}, trace);
  const float2 part = takes ? conjugateTimes(vector, values[pixel * p.coils + coil]) : float2{0, 0};
  const float2 sum{groupSum<Lanes>(part.x), groupSum<Lanes>(part.y)};
  if (own < pixels && coil == 0) out[pixel] = sum;
}

}  // namespace

bool AdaptiveCombiner::takes(std::int64_t coils) {
  return coils <= maxMapCoils;
}

std::int64_t AdaptiveCombiner::estimate(std::int64_t coils, std::int64_t pixels) {
  return (coils + 1) * pixels * std::int64_t(sizeof(float2));  // and the image
}

void AdaptiveCombiner::prepare(const Index3& size, int coils, int block) {
  size_ = size;
  coils_ = coils;
  half_ = block / 2;
}

void AdaptiveCombiner::add(const float2* images, std::int64_t first, std::int64_t count,
                           cudaStream_t stream) {
  const std::int64_t pixels = product(size_);
  if (first == 0) values_.resize(pixels * coils_);
  interleaveCoils<<<blocksFor(pixels * count), threadsPerBlock, 0, stream>>>(images, int(first), int(count),
                                                                             coils_, pixels, values_.data());
  checkLaunch("combining coils");
}

void AdaptiveCombiner::finish(float2* out, cudaStream_t stream) {
  // As many pixels as the host looks at for the covariance of the whole image
  // (local_covariance.cpp).
  constexpr std::int64_t minSampledPixels = 4096;
  const std::int64_t pixels = product(size_), step = std::max<std::int64_t>(1, pixels / minSampledPixels),
                     count = (pixels + step - 1) / step;
  largest_.resize(1);
  largest_.zero(stream);
  findLargest(values_.data(), pixels * coils_, largest_.data(), nullptr, stream);
  sampled_.resize(count * coils_);
  samplePixels<<<blocksFor(count * coils_), threadsPerBlock, 0, stream>>>(values_.data(), coils_, step, count,
                                                                          sampled_.data());
  checkLaunch("combining coils");
  float largest = 0;
  std::vector<cfloat> sampled(std::size_t(count * coils_));
  largest_.download(&largest, 1, stream);
  sampled_.download(reinterpret_cast<float2*>(sampled.data()), count * coils_, stream);
  synchronize(stream);

  std::vector<float2> references;
  for (const cdouble& v : dominantCombination(sampled.data(), coils_, count))
    references.push_back({float(v.real()), float(v.imag())});
  references_.upload(references.data(), coils_, stream);
  Blocks blocks{};
  blocks.coils = coils_;
  for (std::size_t d = 0; d < 3; ++d) {
    blocks.size[d] = int(size_[d]);
    blocks.half[d] = std::min(half_, int(size_[d]) - 1);
  }
  blocks.scale = largest > 0 ? 1 / largest : 1;
  blocks.tolerance = float(walshPower.tolerance * walshPower.tolerance);
  blocks.maxSteps = walshPower.maxSteps;
  dispatchLanes(coils_, [&]<int Lanes>() {
    combineBlocks<Lanes><<<blocksFor(pixels * Lanes, blockVectorThreads), blockVectorThreads, 0, stream>>>(
        blocks, values_.data(), references_.data(), out);
  });
  checkLaunch("combining coils");
  synchronize(stream);  // before the list of references is freed
}

}  // namespace spokelab::gpu
