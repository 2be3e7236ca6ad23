#include "cuda/nufft/toeplitz/psf_samples.h"

#include "cuda/device/launch.cuh"

namespace spokelab::gpu {
namespace {

// last: coordinates along the last dimension, `dims` apart. halfTurns: of a coordinate of 1.
template <class Real, class Work>
__global__ void makeSamples(const double* last, int dims, double halfTurns, const Real* weights,
                            Complex<Work>* samples, std::int64_t count) {
  const std::int64_t j = globalThread();
  if (j >= count) return;
  const Work w = weights ? Work(weights[j]) : Work(1);
  const double turns = halfTurns * last[j * dims];
  Work sine, cosine;
  const Work part = Work(turns - 2 * rint(turns / 2));  // in double: float has no digits for it
  if constexpr (sizeof(Work) == 4)
    sincospif(part, &sine, &cosine);
  else
    sincospi(part, &sine, &cosine);
  samples[j] = {w * cosine, w * sine};
}

}  // namespace

template <class Real, class Work>
void makePsfSamples(const NufftProblem& problem, const double* coordinates, const Real* weights,
                    Complex<Work>* samples, std::int64_t count, cudaStream_t stream) {
  if (count == 0) return;
  const int last = problem.dims - 1;
  const double halfTurns = -2.0 * problem.sign * double(problem.size[std::size_t(last)] / 2);
  makeSamples<Real, Work><<<blocksFor(count), threadsPerBlock, 0, stream>>>(
      coordinates + last, problem.dims, halfTurns, weights, samples, count);
  checkLaunch("weighting samples");
}

template void makePsfSamples<float, float>(const NufftProblem&, const double*, const float*, float2*,
                                           std::int64_t, cudaStream_t);
template void makePsfSamples<float, double>(const NufftProblem&, const double*, const float*, double2*,
                                            std::int64_t, cudaStream_t);
template void makePsfSamples<double, double>(const NufftProblem&, const double*, const double*, double2*,
                                             std::int64_t, cudaStream_t);

}  // namespace spokelab::gpu
