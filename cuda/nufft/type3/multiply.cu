#include "cuda/nufft/type3/multiply.h"

#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"

namespace spokelab::gpu {
namespace {

template <class Real, bool Conjugate>
__global__ void multiplyKernel(const Complex<Real>* in, const Complex<Real>* __restrict__ factor,
                               Complex<Real>* out, std::int64_t count, std::int64_t batch, int* notFinite) {
  const std::int64_t j = globalThread();
  if (j >= count) return;
  const Complex<Real> f = factor[j];
  for (std::int64_t b = 0; b < batch; ++b) {
    const Complex<Real> v = in[b * count + j];
    const Complex<Real> product = Conjugate ? conjugateTimes(f, v) : times(f, v);
    if (!isFinite(product)) *notFinite = 1;
    out[b * count + j] = product;
  }
}

}  // namespace

template <class Real>
void multiplyByFactors(const Complex<Real>* in, const Complex<Real>* factor, bool conjugate,
                       Complex<Real>* out, std::int64_t count, std::int64_t batch, int* notFinite,
                       cudaStream_t stream) {
  if (count == 0) return;
  const auto kernel = conjugate ? multiplyKernel<Real, true> : multiplyKernel<Real, false>;
  kernel<<<blocksFor(count), threadsPerBlock, 0, stream>>>(in, factor, out, count, batch, notFinite);
  checkLaunch("multiplying values");
}

template void multiplyByFactors<float>(const float2*, const float2*, bool, float2*, std::int64_t,
                                       std::int64_t, int*, cudaStream_t);
template void multiplyByFactors<double>(const double2*, const double2*, bool, double2*, std::int64_t,
                                        std::int64_t, int*, cudaStream_t);

}  // namespace spokelab::gpu
