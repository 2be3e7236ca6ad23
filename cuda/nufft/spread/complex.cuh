// Complex values in kernels.
#pragma once

#include "cuda/nufft/method.h"

namespace spokelab::gpu {

template <class Real>
__device__ __forceinline__ Complex<Real> scaled(Complex<Real> c, Real s) {
  return {c.x * s, c.y * s};
}

/// Adds to global memory; nothing is read back.
__device__ __forceinline__ void addGlobal(float2* to, float2 v) {
#if __CUDA_ARCH__ >= 900
  atomicAdd(to, v);  // one vector reduction
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
