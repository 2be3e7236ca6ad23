// The padded Toeplitz operator in 2 d - 1 passes of our own (float): padding and cropping are built
// into the line transforms, and along the last axis one kernel transforms, multiplies by the real
// transfer function and transforms back, so that no full padded spectrum is ever written. In 3-D:
//   x: N -> L   y: N -> L   z: N -> L, multiply, L -> N   y: L -> N   x: L -> N
// Memory traffic in units of 8 N^3 bytes at L = 2N: 3 + 6 + 8 + 4 (transfer) + 6 + 3, where two
// cuFFTs of size L^3 with padding and cropping move at least 70.
#pragma once

#include <array>

#include "cuda/device/buffer.h"
#include "cuda/device/measure/stage_clock.h"

namespace spokelab::gpu {

class FusedToeplitz {
 public:
  // Smallest circular length of at least `minLength` that the passes have, or 0.
  static int length(int minLength);
  // True if dims is 2 or 3, and every axis has a supported length not far above its `minLength`.
  static bool serves(int dims, const std::array<int, 3>& image, const std::array<int, 3>& minLength);

  FusedToeplitz() = default;
  FusedToeplitz(int dims, const std::array<int, 3>& image, const std::array<int, 3>& length,
                std::int64_t batch, cudaStream_t stream);

  // Applies the operator to the images `in` [count, pixel], or to their products with `factor`
  // [pixel] if this is given. out: [count, pixel], may be `in`. transfer: [L_z, L_y, L_x], scaled
  // by 1 / L^d. *notFinite becomes 1 for NaN or infinity.
  void apply(const float2* in, const float2* factor, float2* out, const float* transfer, std::int64_t count,
             int* notFinite, StageClock& clock, cudaStream_t stream);
  std::int64_t memory() const { return lines_.bytes() + planes_.bytes() + turns_.bytes(); }
  static std::int64_t estimate(int dims, const std::array<int, 3>& image, const std::array<int, 3>& length,
                               std::int64_t batch);

 private:
  int dims_ = 0;
  std::array<int, 3> image_{1, 1, 1}, length_{1, 1, 1};
  DeviceBuffer<float2> lines_;   // [batch, N_z, N_y, L_x]
  DeviceBuffer<float2> planes_;  // 3-D: [batch, N_z, L_y, L_x]
  DeviceBuffer<float2> turns_;   // e^{-2 pi i n / L} for x, y, z
};

}  // namespace spokelab::gpu
