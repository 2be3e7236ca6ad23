#include "cuda/recon/field/gdft_reference.h"

#include "cuda/device/check.h"

namespace spokelab::gpu {
namespace {

// Outputs are independent, and no shared memory is used: 128 threads fill the device at small
// sizes, too.
constexpr int threadsPerBlock = 128;
// Terms that are added in Real, one after the other; their sums are added in double.
constexpr std::int64_t termsPerSum = 256;
constexpr int maxForms = 4;

__device__ __forceinline__ void sineCosine(float x, float* s, float* c) {
  sincosf(x, s, c);
}
__device__ __forceinline__ void sineCosine(double x, double* s, double* c) {
  sincos(x, s, c);
}

template <class Real>
__device__ __forceinline__ Real sinc(Real x) {
  const Real pi = Real(3.14159265358979323846);
  return x == 0 ? Real(1) : sin(pi * x) / (pi * x);
}

template <class Real>
__device__ __forceinline__ Real modulationOf(const GdftPlain<Real>& a, const Real (&voxel)[3], Real t,
                                             std::int64_t p) {
  Real factor = 1;
  if (a.sinc)
    for (int d = 0; d < 3; ++d) factor *= sinc(voxel[d] + (a.gradient[d] ? a.gradient[d][p] * t : Real(0)));
  if (a.decay) factor *= exp(-a.decay[p] * t);
  return factor;
}

template <class Real, class Complex, bool forward>
__global__ void __launch_bounds__(threadsPerBlock)
    plainKernel(GdftPlain<Real> a, const Complex* in, Complex* out) {
  const std::int64_t o = std::int64_t(blockIdx.x) * threadsPerBlock + threadIdx.x;
  if (o >= (forward ? a.samples : a.pixels)) return;
  const Real twoPi = Real(6.283185307179586476925);
  // Constants of the output: scaled k and t of a sample, or place and field of a pixel.
  Real own[4];
  for (int d = 0; d < 3; ++d) own[d] = forward ? a.k[d][o] * twoPi : a.r[d][o] * twoPi;
  own[3] = forward ? a.t[o] : a.field[o];
  Real ownBend[maxForms];
  for (int f = 0; f < a.forms; ++f) ownBend[f] = (forward ? a.bend[f][o] : a.bendPlace[f][o]) * twoPi;
  double totalRe = 0, totalIm = 0;
  const std::int64_t count = forward ? a.pixels : a.samples;
  const bool modulated = a.sinc || a.decay;
  for (std::int64_t first = 0; first < count; first += termsPerSum) {
    const std::int64_t end = min(first + termsPerSum, count);
    Real re = 0, im = 0;
    for (std::int64_t i = first; i < end; ++i) {
      Real phase = forward ? a.field[i] * own[3] : own[3] * a.t[i];
      for (int d = 0; d < 3; ++d) phase += own[d] * (forward ? a.r[d][i] : a.k[d][i]);
      for (int f = 0; f < a.forms; ++f) phase += ownBend[f] * (forward ? a.bendPlace[f][i] : a.bend[f][i]);
      Real s, c;
      sineCosine(forward ? -phase : phase, &s, &c);
      Complex v = in[i];
      if (modulated) {
        const std::int64_t sample = forward ? o : i, pixel = forward ? i : o;
        Real voxel[3];
        for (int d = 0; d < 3; ++d) voxel[d] = a.k[d][sample] * a.inverse[d];
        const Real factor = modulationOf(a, voxel, a.t[sample], pixel);
        v.x *= factor;
        v.y *= factor;
      }
      re += c * v.x - s * v.y;
      im += s * v.x + c * v.y;
    }
    totalRe += re;
    totalIm += im;
  }
  out[o] = {Real(totalRe), Real(totalIm)};
}

template <class Real, class Complex>
__global__ void scaleKernel(Complex* values, const Real* weights, std::int64_t count) {
  const std::int64_t j = std::int64_t(blockIdx.x) * threadsPerBlock + threadIdx.x;
  if (j < count) values[j] = {values[j].x * weights[j], values[j].y * weights[j]};
}

}  // namespace

template <class Real, class Complex>
void launchScale(Complex* values, const Real* weights, std::int64_t count, cudaStream_t stream) {
  if (count == 0) return;
  scaleKernel<<<unsigned((count + threadsPerBlock - 1) / threadsPerBlock), threadsPerBlock, 0, stream>>>(
      values, weights, count);
  checkLaunch("weighting samples");
}

template void launchScale<float, float2>(float2*, const float*, std::int64_t, cudaStream_t);
template void launchScale<double, double2>(double2*, const double*, std::int64_t, cudaStream_t);

template <class Real, class Complex>
void launchGdftPlain(const GdftPlain<Real>& a, bool forward, const Complex* in, Complex* out,
                     cudaStream_t stream) {
  const std::int64_t outputs = forward ? a.samples : a.pixels;
  if (outputs == 0) return;
  const auto blocks = unsigned((outputs + threadsPerBlock - 1) / threadsPerBlock);
  if (forward)
    plainKernel<Real, Complex, true><<<blocks, threadsPerBlock, 0, stream>>>(a, in, out);
  else
    plainKernel<Real, Complex, false><<<blocks, threadsPerBlock, 0, stream>>>(a, in, out);
  checkLaunch("summing a field-corrected transform");
}

template void launchGdftPlain<float, float2>(const GdftPlain<float>&, bool, const float2*, float2*,
                                             cudaStream_t);
template void launchGdftPlain<double, double2>(const GdftPlain<double>&, bool, const double2*, double2*,
                                               cudaStream_t);

}  // namespace spokelab::gpu
