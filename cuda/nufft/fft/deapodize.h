// Between image and oversampled grid: deapodize (divide by the kernel's transform) with zero
// padding or cropping in the same pass. Image [batch, z, y, x], n from -floor(N/2); grid [batch, z,
// y, x], frequency n at cell n mod G.
#pragma once

#include <array>
#include <vector>

#include "cuda/device/buffer.h"
#include "cuda/device/complex.h"

namespace spokelab::gpu {

// 1 / transform per dimension (engine's deapodization()), length N, {1} beyond dims: x, then y,
// then z.
template <class Real>
DeviceBuffer<Real> uploadedFactors(const std::array<std::vector<double>, 3>& factor, cudaStream_t stream);

template <class Real>
class Deapodizer {
 public:
  // factor: as for uploadedFactors.
  Deapodizer(const std::array<int, 3>& image, const std::array<int, 3>& grid,
             const std::array<std::vector<double>, 3>& factor, cudaStream_t stream);

  // grid = pad(image * factor); every cell is written. *notFinite becomes 1 where a pixel is NaN or
  // infinite. energy (device), where given, becomes the sum of |grid|^2 over the batch.
  void pad(const Complex<Real>* image, Complex<Real>* grid, std::int64_t batch, int* notFinite,
           double* energy, cudaStream_t stream) const;
  // image = crop(grid) * factor. *notFinite becomes 1 where a result is NaN or infinite.
  void crop(const Complex<Real>* grid, Complex<Real>* image, std::int64_t batch, int* notFinite,
            cudaStream_t stream) const;
  std::int64_t memory() const { return factors_.bytes(); }

 private:
  std::array<int, 3> image_, grid_;
  DeviceBuffer<Real> factors_;  // x, then y, then z
};

}  // namespace spokelab::gpu
