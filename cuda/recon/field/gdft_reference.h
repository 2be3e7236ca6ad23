// The straightforward kernels of [cudadft] 3.2: one thread an output, unreduced phases, the
// library's sine and cosine. They are the reference of the other variants, in float and in double.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace spokelab::gpu {

template <class Real>
struct GdftPlain {
  std::int64_t samples = 0, pixels = 0;
  const Real *k[3]{}, *t = nullptr;             // cycles/FOV, s; [sample]
  const Real *r[3]{}, *field = nullptr;         // FOV units, rad/s; [pixel]
  const Real *gradient[3]{}, *decay = nullptr;  // cycles/s per voxel, 1/s, or null
  // Phases of second order: turns of a form at place 1, and its places.
  const Real *bend[4]{}, *bendPlace[4]{};
  int forms = 0;
  Real inverse[3]{1, 1, 1};  // 1 / N_d
  bool sinc = false;
};

// in: pixels (forward) or samples; out: the others. Arrays on the device; nothing waits.
template <class Real, class Complex>
void launchGdftPlain(const GdftPlain<Real>& arrays, bool forward, const Complex* in, Complex* out,
                     cudaStream_t stream);

// values[j] *= weights[j].
template <class Real, class Complex>
void launchScale(Complex* values, const Real* weights, std::int64_t count, cudaStream_t stream);

}  // namespace spokelab::gpu
