// The steps of gridding around the adjoint, on the device: density weights, combination of coils.
#pragma once

#include <span>

#include "cuda/device/buffer.h"
#include "cuda/device/complex.h"
#include "cuda/device/stage_clock.h"
#include "engine/core/array.h"

namespace spokelab::gpu {

template <class Real>
class CoilCombiner {
 public:
  void setWeights(std::span<const double> weights, cudaStream_t stream);
  std::int64_t weightCount() const { return weights_.size(); }

  // Begins a sum of squares over `pixels`.
  void begin(std::int64_t pixels, cudaStream_t stream);
  // samples [pass, M] = weighted coils; those beyond coils.size() are zero.
  void load(std::span<const std::complex<Real>* const> coils, Complex<Real>* samples, std::int64_t pass,
            StageClock& clock, cudaStream_t stream);
  // Adds `count` images to the sum of squares.
  void add(const Complex<Real>* images, std::int64_t count, cudaStream_t stream);
  // out (host, pixels) = sqrt(sum), imaginary part zero.
  void finish(std::complex<Real>* out, cudaStream_t stream);
  // out (host, pixels) = the image itself, its phase kept.
  void keep(const Complex<Real>* image, std::complex<Real>* out, cudaStream_t stream);
  std::int64_t memory() const { return weights_.bytes() + squares_.bytes() + result_.bytes(); }

 private:
  DeviceBuffer<Real> weights_, squares_;
  DeviceBuffer<Complex<Real>> result_;
};

}  // namespace spokelab::gpu
