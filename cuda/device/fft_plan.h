// cuFFT plan over [batch, z, y, x], unscaled: complex to complex both ways, in place or out of
// place, or to real numbers from the half of their spectrum.
#pragma once

#include <array>
#include <cstdint>

#include "cuda/device/buffer.h"

namespace spokelab::gpu {

class FftPlan {
 public:
  FftPlan() = default;
  // size: x, y, z. Throws Error where cuFFT cannot make the plan (memory, size).
  FftPlan(int dims, const std::array<int, 3>& size, std::int64_t batch, bool doublePrecision);
  // One transform to real numbers. Throws Error.
  static FftPlan toReal(int dims, const std::array<int, 3>& size, bool doublePrecision);
  ~FftPlan();
  FftPlan(const FftPlan&) = delete;
  FftPlan& operator=(const FftPlan&) = delete;
  FftPlan(FftPlan&& o) noexcept;
  FftPlan& operator=(FftPlan&& o) noexcept;

  // sign of the exponent: -1 or +1. `in` and `out` are device memory of the plan's precision.
  void execute(void* in, void* out, int sign, cudaStream_t stream) const;
  // Executes a toReal() plan: in [z, y, x/2 + 1] is overwritten, out [z, y, x]; sign +1.
  void executeToReal(void* in, void* out, cudaStream_t stream) const;
  std::int64_t memory() const { return work_.bytes(); }
  // Estimates the bytes of such a plan's work area. Allocates nothing.
  static std::int64_t estimate(int dims, const std::array<int, 3>& size, std::int64_t batch,
                               bool doublePrecision);

 private:
  void make(int dims, const std::array<int, 3>& size, std::int64_t batch, cufftType type);

  cufftHandle plan_ = 0;
  bool hasPlan_ = false, double_ = false;
  DeviceBuffer<char> work_;
};

}  // namespace spokelab::gpu
