// Adaptive combination of coils on the device: what engine/recon/coils/adaptive_combination.h does
// on the host, in single precision.
#pragma once

#include "cuda/device/buffer.h"
#include "engine/core/array.h"

namespace spokelab::gpu {

class AdaptiveCombiner {
 public:
  // True for at most maxMapCoils coils (device_maps.h).
  static bool takes(std::int64_t coils);
  // Device bytes of the coil images and of the combined image.
  static std::int64_t estimate(std::int64_t coils, std::int64_t pixels);

  // Prepares images of `size` and blocks of `block` pixels.
  void prepare(const Index3& size, int coils, int block);
  // Takes images [count, pixel] of the coils from `first` on. The call with first = 0 allocates:
  // call it before the others.
  void add(const float2* images, std::int64_t first, std::int64_t count, cudaStream_t stream);
  // out [pixel], device: the combination of all coils. Waits for the stream: the host computes the
  // reference from a sample of pixels.
  void finish(float2* out, cudaStream_t stream);
  std::int64_t memory() const { return values_.bytes() + sampled_.bytes() + references_.bytes(); }

 private:
  Index3 size_{1, 1, 1};
  int coils_ = 0, half_ = 0;
  DeviceBuffer<float2> values_;  // [pixel, coil]
  DeviceBuffer<float2> sampled_, references_;
  DeviceBuffer<float> largest_;
};

}  // namespace spokelab::gpu
