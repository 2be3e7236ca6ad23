// What the kernels of Gdft and GdftR2 share: arrays on the device and the functions that launch them.
//   forward: out_j = sum_p in_p B e^{-2 pi i (k_j . r_p + f_p t_j)};  adjoint: its conjugate transpose
//   B = prod_d sinc(k_d / N_d + G_d t) e^{-R t}, or 1;  f and G in cycles/s.
// float: whole turns are removed before they are rounded: k . r on the regular grid is fixed point (2^32 a
// turn) at the middle of a run of pixels and continued from there; f t is reduced by a fused multiply-add,
// with the low halves of both factors where the high ones alone would cost too much accuracy.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace spokelab::gpu {

/// narrow: less than some turns of f t; high: reduced without low halves, middle: with that of f, t from the
/// middle of the readout; wide: with both; sinc1, sinc2, sincAny: with B, |sinc's argument| below 1, 2, any.
enum class GdftForm { narrow, high, middle, wide, sinc1, sinc2, sincAny };
constexpr bool timesAreCentred(GdftForm form) {
  return form == GdftForm::high || form == GdftForm::middle;
}
constexpr bool isModulated(GdftForm form) {
  return form == GdftForm::sinc1 || form == GdftForm::sinc2 || form == GdftForm::sincAny;
}
/// reference: the kernel of the spec, one thread an output.
enum class GdftVariant { automatic, reference, tiled, sharedTimes };

struct GdftSampleArrays {
  std::int64_t count = 0;
  const uint4* step = nullptr;   // regular grid: 2^32 k_d / N_d
  const float2* time = nullptr;  // high and low half, s
  const float4* k = nullptr;     // cycles/FOV
  const float4* kLow = nullptr;  // given coordinates
  std::int64_t shots = 1;        // that share their times: sample = shot * (count / shots) + n
};

struct GdftPixelArrays {
  std::int64_t count = 0;
  int nx = 1, ny = 1, nz = 1;        // regular grid (given coordinates: count x 1 x 1)
  float3 inverse{1, 1, 1};           // 1 / N_d, of the sinc
  const float2* field = nullptr;     // cycles/s, high and low half
  const float2* turn = nullptr;      // centred: e^{-2 pi i f t0}, times counting from t0
  const float4* gradient = nullptr;  // cycles/s per voxel along x, y, z; R in 1/s (4th)
  const float4* r = nullptr;         // FOV units (all, for the reference variant)
  const float4* rLow = nullptr;
  bool grid = true;
};

/// in: pixels (forward) or samples; out: the others. Arrays on the device; nothing waits.
void launchGdftForward(GdftVariant, GdftForm, const GdftSampleArrays&, const GdftPixelArrays&,
                       const float2* in, float2* out, cudaStream_t);
void launchGdftAdjoint(GdftVariant, GdftForm, const GdftSampleArrays&, const GdftPixelArrays&,
                       const float2* in, float2* out, cudaStream_t);

/// The reference variant in either precision (gdft_reference.cu). modulated: with B.
template <class Real>
struct GdftPlain {
  std::int64_t samples = 0, pixels = 0;
  const Real *k[3]{}, *t = nullptr;             // cycles/FOV, s; [sample]
  const Real *r[3]{}, *field = nullptr;         // FOV units, rad/s; [pixel]
  const Real *gradient[3]{}, *decay = nullptr;  // cycles/s per voxel, 1/s, or null
  Real inverse[3]{1, 1, 1};                     // 1 / N_d
  bool sinc = false;
};
template <class Real, class Complex>
void launchGdftPlain(const GdftPlain<Real>&, bool forward, const Complex* in, Complex* out, cudaStream_t);

/// values[j] *= weights[j]
template <class Real, class Complex>
void launchScale(Complex* values, const Real* weights, std::int64_t count, cudaStream_t);

// By shots that share their times (gdft_shared_times.cu); no B.
void launchSharedForward(const GdftSampleArrays&, const GdftPixelArrays&, const float2* in, float2* out,
                         cudaStream_t);
void launchSharedAdjoint(const GdftSampleArrays&, const GdftPixelArrays&, const float2* in, float2* out,
                         cudaStream_t);

}  // namespace spokelab::gpu
