// Between image and oversampled grid: deapodization (division by the kernel's transform), zero
// padding or cropping, and the FFT. Image [batch, z, y, x], n from -floor(N/2); grid [batch, z, y,
// x], frequency n at cell n mod G.
//   1-D, lengths up to 2048, and many up to 131,072 (gridSizeOn prefers them)
//     One kernel or two (grid_line.h).
//   2-D and 3-D, lengths that line_pass.h has (gridSizeOn prefers them)
//     One pass an axis pads or crops in place in the grid; the first (last) pass deapodizes. It
//     stores and reads no zeros and needs no work area: in 3-D at alpha = 1.25 it moves the bytes
//     of 18 images, while padding and three passes of cuFFT move 31.
//   otherwise
//     cuFFT, and kernels for padding and cropping (deapodize.h).
#pragma once

#include <array>
#include <optional>

#include "cuda/device/device.h"
#include "cuda/device/fft_plan.h"
#include "cuda/device/measure/stage_clock.h"
#include "cuda/nufft/fft/deapodize.h"
#include "cuda/nufft/fft/grid_line.h"
#include "cuda/nufft/fft/line_pass.h"

namespace spokelab::gpu {

template <class Real>
class GridFft {
 public:
  // factor: 1 / transform per dimension, length N; dimensions beyond dims are {1}. batch: images at
  // a time, at most.
  GridFft(int dims, const std::array<int, 3>& image, const std::array<int, 3>& grid, std::int64_t batch,
          const std::array<std::vector<double>, 3>& factor, const DeviceLimits& device, cudaStream_t stream);

  // grid = FFT(pad(image * factor)), sign: of the FFT's exponent. images: number in this call, at
  // most the plan's `batch`; cuFFT transforms the grids of the whole batch. *notFinite becomes 1
  // where a pixel is NaN or infinite. energy (device), where given, becomes the sum over the images
  // of |image * factor|^2. Marks its stages.
  void toGrid(const Complex<Real>* image, Complex<Real>* grid, std::int64_t images, int sign, int* notFinite,
              double* energy, StageClock& clock, cudaStream_t stream) const;
  // image = crop(FFT(grid)) * factor; the grid's contents are lost. *notFinite as above, of the
  // result.
  void toImage(Complex<Real>* grid, Complex<Real>* image, std::int64_t images, int sign, int* notFinite,
               StageClock& clock, cudaStream_t stream) const;
  std::int64_t memory() const;
  // Bytes of work area, roughly; nothing is allocated.
  static std::int64_t estimate(int dims, const std::array<int, 3>& image, const std::array<int, 3>& grid,
                               std::int64_t batch, int sharedPerBlock);

 private:
  // sharedPerBlock: bytes of shared memory that the device has for a block. In 2-D and 3-D.
  static bool hasPasses(int dims, const std::array<int, 3>& image, const std::array<int, 3>& grid,
                        int sharedPerBlock);
  // Returns how many bytes were moved, at least.
  double passes(LinePass pass, const Complex<Real>* image, Complex<Real>* grid, Complex<Real>* result,
                std::int64_t images, int sign, int* notFinite, double* energy, cudaStream_t stream) const;
  // Images that take all passes to the grid before the next group of a call does.
  std::int64_t together(std::int64_t images) const;
  static double bytes(std::int64_t images, const std::array<int, 3>& size) {
    return double(images) * size[0] * size[1] * size[2] * sizeof(Complex<Real>);
  }

  int dims_;
  std::array<int, 3> image_, grid_;
  std::int64_t batch_;
  std::int64_t l2Bytes_;
  std::optional<GridLine<Real>> line_;
  bool passes_;
  DeviceBuffer<Complex<Real>> turns_;  // of the passes
  DeviceBuffer<Real> factors_;         // of the passes: x, y, z
  std::optional<Deapodizer<Real>> deapodizer_;
  FftPlan fft_;
};

}  // namespace spokelab::gpu
