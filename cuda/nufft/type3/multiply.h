// Values of points times the points' complex factors.
#pragma once

#include <cstdint>

#include "cuda/device/complex.h"

namespace spokelab::gpu {

// out[b][j] = in[b][j] factor[j], or times its conjugate; in == out is allowed. *notFinite becomes
// 1 where a product is NaN or infinite.
template <class Real>
void multiplyByFactors(const Complex<Real>* in, const Complex<Real>* factor, bool conjugate,
                       Complex<Real>* out, std::int64_t count, std::int64_t batch, int* notFinite,
                       cudaStream_t stream);

}  // namespace spokelab::gpu
