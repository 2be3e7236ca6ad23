// Complex arithmetic for kernels; C is float2 or double2. All functions return new values.
#pragma once

#include "cuda/device/complex.h"

namespace spokelab::gpu {

template <class Real>
__device__ __forceinline__ Complex<Real> scaled(Complex<Real> c, Real s) {
  return {c.x * s, c.y * s};
}

template <class C>
__device__ __forceinline__ C plus(C a, C b) {
  return {a.x + b.x, a.y + b.y};
}

template <class C>
__device__ __forceinline__ C minus(C a, C b) {
  return {a.x - b.x, a.y - b.y};
}

template <class C>
__device__ __forceinline__ C times(C a, C b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

// conj(a) b.
template <class C>
__device__ __forceinline__ C conjugateTimes(C a, C b) {
  return {a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x};
}

template <class C>
__device__ __forceinline__ bool isFinite(const C& c) {
  return isfinite(c.x) && isfinite(c.y);
}

// Atomic sum in global memory. The order of additions, and so the rounding, differs between runs.
__device__ __forceinline__ void addGlobal(float2* to, float2 v) {
#if __CUDA_ARCH__ >= 900
  // One vector reduction moves both parts.
  atomicAdd(to, v);
#else
  atomicAdd(&to->x, v.x);
  atomicAdd(&to->y, v.y);
#endif
}
__device__ __forceinline__ void addGlobal(double2* to, double2 v) {
  atomicAdd(&to->x, v.x);
  atomicAdd(&to->y, v.y);
}

template <class C>
__device__ __forceinline__ void addShared(C* to, C v) {
  atomicAdd(&to->x, v.x);
  atomicAdd(&to->y, v.y);
}

}  // namespace spokelab::gpu
