// The normal operator as a convolution: (A^H W A f)(n) = sum_m f(m) q(n - m), with the point spread
// function
//   q(l) = sum_j w_j e^{-s 2 pi i l . k_j},  |l_d| < N_d   (s: the problem's forward sign),
// by FFTs of a circular length of at least 2N - 1 per dimension. q(-l) = conj(q(l)), so its
// transform is real and is kept as real numbers, 1 / L^d folded in. Two forms:
//   padded   one FFT of a fast size >= max(2N - 1, alpha_T N) per dimension, and its inverse, by
//            cuFFT or by toeplitz_fused.h's passes
//   shifted  2^d FFTs of size N on images modulated by half a frequency step: no padded grid
// Sources: [gnufftw] III.D, [formulas].
#pragma once

#include <array>
#include <memory>

#include "cuda/device/complex.h"
#include "cuda/device/fft_plan.h"
#include "cuda/device/measure/stage_clock.h"
#include "cuda/nufft/toeplitz/toeplitz_fused.h"

namespace spokelab::gpu {

template <class Real>
class ToeplitzOperator {
 public:
  // image: size (x, y, z), 1 beyond dims. batch: images at a time. alpha (padded form): smallest
  // circular length over image size; 0: the smallest fast one. Throws Error (memory).
  ToeplitzOperator(int dims, const std::array<int, 3>& image, std::int64_t batch, bool shifted, double alpha,
                   cudaStream_t stream);

  // psf: complex, x fastest; along the last of the dims N lags from 0 on, along the others 2N lags
  // from -N on (the lag -N itself is not used), or 1 where N is 1.
  void setPsf(const float2* psf, cudaStream_t stream);
  void setPsf(const double2* psf, cudaStream_t stream);

  // out = T in for `count` images (at most the batch); in == out is allowed. Marks its stages on
  // the clock.
  void apply(const Complex<Real>* in, Complex<Real>* out, std::int64_t count, int* notFinite,
             StageClock& clock, cudaStream_t stream);
  // True if applyToProducts() can be called.
  bool takesMaps() const { return fused_ != nullptr; }
  // out[c] = T (maps[c] image), the products made as they are read.
  void applyToProducts(const Complex<Real>* image, const Complex<Real>* maps, Complex<Real>* out,
                       std::int64_t count, int* notFinite, StageClock& clock, cudaStream_t stream);
  // Circular length over image size, of the longest side.
  double alpha() const;
  std::int64_t memory() const;
  static std::int64_t estimate(int dims, const std::array<int, 3>& image, std::int64_t batch, bool shifted,
                               double alpha);

 private:
  template <class Psf>
  void transferFrom(const Psf* psf, cudaStream_t stream);
  void applyPadded(const Complex<Real>* in, Complex<Real>* out, std::int64_t count, int* notFinite,
                   StageClock& clock, cudaStream_t stream);
  void applyShifted(const Complex<Real>* in, Complex<Real>* out, std::int64_t count, int* notFinite,
                    StageClock& clock, cudaStream_t stream);

  int dims_;
  std::array<int, 3> image_, length_;
  std::int64_t batch_;
  bool shifted_;
  DeviceBuffer<Real> transfer_;  // padded: [L_z, L_y, L_x]; shifted: [2^d][N_z, N_y, N_x]
  DeviceBuffer<Complex<Real>> work_, copy_;
  // Shifted: e^{-i pi n / N} for n < N, x then y then z.
  DeviceBuffer<Complex<Real>> phase_;
  // Padded form in passes of our own, where they serve.
  std::unique_ptr<FusedToeplitz> fused_;
  // Transforms of whole batches, and of single images of a last, smaller batch.
  FftPlan fft_, single_;
};

}  // namespace spokelab::gpu
