// Phases, sinc and decay for the float kernels of Gdft.
#pragma once

#include "cuda/recon/field/gdft_arrays.h"

namespace spokelab::gpu {

constexpr float gdftTwoPi = 6.283185307179586F;
constexpr float radiansPerStep = 1.4629180792671596e-9F;  // 2 pi / 2^32
constexpr float roundingMagic = 12582912.0F;              // 1.5 * 2^23: adding it rounds to whole

__device__ __forceinline__ float radians(unsigned phase) {
  return float(int(phase)) * radiansPerStep;
}

// phase plus 2 pi times the fraction of f t, or all of it (narrow: few turns).
template <GdftForm form>
__device__ __forceinline__ float addField(float2 f, float2 t, float phase) {
  if constexpr (form == GdftForm::narrow) {
    return fmaf(f.x * gdftTwoPi, t.x, phase);
  } else {
    const float whole = fmaf(f.x, t.x, roundingMagic) - roundingMagic;
    float turns = fmaf(f.x, t.x, -whole);
    if constexpr (form != GdftForm::high) turns = fmaf(f.y, t.x, turns);
    if constexpr (form != GdftForm::high && form != GdftForm::middle) turns = fmaf(f.x, t.y, turns);
    return fmaf(turns, gdftTwoPi, phase);
  }
}

// a b less its whole turns; a, b as high and low halves.
__device__ __forceinline__ float reducedTurns(float a, float aLow, float b, float bLow) {
  const float whole = fmaf(a, b, roundingMagic) - roundingMagic;
  return fmaf(a, bLow, fmaf(aLow, b, fmaf(a, b, -whole)));
}

// Phases of second order of one pair less their whole turns, in radians.
__device__ __forceinline__ float bentPhase(float4 a, float4 aLow, float4 b, float4 bLow) {
  const float turns = reducedTurns(a.x, aLow.x, b.x, bLow.x) + reducedTurns(a.y, aLow.y, b.y, bLow.y) +
                      reducedTurns(a.z, aLow.z, b.z, bLow.z) + reducedTurns(a.w, aLow.w, b.w, bLow.w);
  return (turns - rintf(turns)) * gdftTwoPi;
}

// sin(pi x) / (pi x). Polynomials in x^2 interpolated at Chebyshev nodes: 2e-7 and 1e-6 with
// rounding.
__device__ __forceinline__ float sincBelow1(float x) {
  const float q = x * x;
  float v = fmaf(-0.00193796301F, q, 0.0257018854F);
  v = fmaf(v, q, -0.190523737F);
  v = fmaf(v, q, 0.811689351F);
  v = fmaf(v, q, -1.64492953F);
  return fmaf(v, q, 0.999999937F);
}
__device__ __forceinline__ float sincBelow2(float x) {
  const float q = x * x;
  float v = fmaf(1.49521311e-07F, q, -6.26251846e-06F);
  v = fmaf(v, q, 0.000145663651F);
  v = fmaf(v, q, -0.00233972142F);
  v = fmaf(v, q, 0.0261391762F);
  v = fmaf(v, q, -0.190745145F);
  v = fmaf(v, q, 0.811739839F);
  v = fmaf(v, q, -1.64493368F);
  return fmaf(v, q, 0.99999999F);
}
__device__ __forceinline__ float sincAny(float x) {
  const float y = fabsf(x) < 1e-6F ? 1e-6F : x;
  return sinpif(y) / (3.14159265F * y);
}

// B of one pair. volume: all three axes (else z has no extent: its factor is 1).
template <GdftForm form, bool volume>
__device__ __forceinline__ float modulation(float3 voxel, float4 gradient, float t) {
  const float x = fmaf(gradient.x, t, voxel.x), y = fmaf(gradient.y, t, voxel.y);
  const float z = fmaf(gradient.z, t, voxel.z);
  if constexpr (form == GdftForm::sinc1)
    return volume ? sincBelow1(x) * sincBelow1(y) * sincBelow1(z) : sincBelow1(x) * sincBelow1(y);
  else if constexpr (form == GdftForm::sinc2)
    return volume ? sincBelow2(x) * sincBelow2(y) * sincBelow2(z) : sincBelow2(x) * sincBelow2(y);
  else
    return sincAny(x) * sincAny(y) * sincAny(z) * __expf(-gradient.w * t);
}

// k_d / N_d of a sample: what it adds to the sincs' arguments.
__device__ __forceinline__ float3 voxelOf(const GdftSampleArrays& s, const GdftPixelArrays& p,
                                          std::int64_t j) {
  const float4 k = s.k[j];
  return make_float3(k.x * p.inverse.x, k.y * p.inverse.y, k.z * p.inverse.z);
}

// The part of the inputs that a block works on.
__device__ __forceinline__ int partOf(const GdftTarget& to) {
  return to.firstPart + int(blockIdx.y);
}

// Adds a block's part of an output (gdft_parts.h says where parts meet).
__device__ __forceinline__ void addTo(const GdftTarget& to, std::int64_t output, float re, float im) {
  if (to.rows) {
    to.rows[std::int64_t(blockIdx.y) * to.outputs + output] = make_float2(re, im);
    return;
  }
  atomicAdd(&to.sums[output].x, double(re));
  atomicAdd(&to.sums[output].y, double(im));
}

}  // namespace spokelab::gpu
