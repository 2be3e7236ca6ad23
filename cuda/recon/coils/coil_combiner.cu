#include "cuda/recon/coils/coil_combiner.h"

#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/device/launch.cuh"
#include "cuda/device/stream.h"

namespace spokelab::gpu {
namespace {

// Works in place if input and output are the same.
template <class Real>
__global__ void weightKernel(const Real* weights, const Complex<Real>* samples, std::int64_t count,
                             Complex<Real>* weighted) {
  const std::int64_t j = globalThread();
  if (j >= count) return;
  weighted[j] = {samples[j].x * weights[j], samples[j].y * weights[j]};
}

template <class Real>
__global__ void addSquares(const Complex<Real>* images, Real* squares, std::int64_t pixels,
                           std::int64_t count) {
  const std::int64_t i = globalThread();
  if (i >= pixels) return;
  Real sum = squares[i];
  for (std::int64_t c = 0; c < count; ++c) {
    const Complex<Real> v = images[c * pixels + i];
    sum += v.x * v.x + v.y * v.y;
  }
  squares[i] = sum;
}

template <class Real>
__global__ void takeRoot(const Real* squares, Complex<Real>* out, std::int64_t pixels) {
  const std::int64_t i = globalThread();
  if (i < pixels) out[i] = {sqrt(squares[i]), Real(0)};
}

template <class Real>
__global__ void rootOfSquares(const Complex<Real>* images, std::int64_t pixels, std::int64_t coils,
                              std::int64_t count, Complex<Real>* out) {
  const std::int64_t i = globalThread();
  if (i >= count) return;
  const std::int64_t set = i / pixels;
  const Complex<Real>* const image = images + set * coils * pixels + (i - set * pixels);
  Real sum = 0;
  for (std::int64_t c = 0; c < coils; ++c) {
    const Complex<Real> v = image[c * pixels];
    sum += v.x * v.x + v.y * v.y;
  }
  out[i] = {sqrt(sum), Real(0)};
}

}  // namespace

template <class Real>
void CoilCombiner<Real>::setWeights(std::span<const double> weights, cudaStream_t stream) {
  const std::vector<Real> converted(weights.begin(), weights.end());
  weights_.upload(converted.data(), std::int64_t(converted.size()), stream);
  synchronize(stream);
}

template <class Real>
void CoilCombiner<Real>::begin(std::int64_t pixels, cudaStream_t stream) {
  squares_.resize(pixels);
  result_.resize(pixels);
  squares_.zero(stream);
}

template <class Real>
void CoilCombiner<Real>::load(std::span<const std::complex<Real>* const> coils, const CoilMixer* mixer,
                              Complex<Real>* samples, std::int64_t pass, StageClock& clock,
                              cudaStream_t stream) {
  const std::int64_t count = weights_.size();
  const auto used = std::int64_t(coils.size());
  std::vector<const Complex<Real>*> from;
  std::int64_t moved = 0, run = 0;  // coils that follow each other go as one, up to the last one looked at
  const auto moveRun = [&](std::int64_t end) {
    if (run > 0)
      copyToDevice(samples + (end - run) * count, coils[std::size_t(end - run)],
                   std::size_t(run * count) * sizeof(Complex<Real>), stream);
    moved += std::exchange(run, 0);
  };
  for (std::int64_t c = 0; c < used; ++c) {
    const std::complex<Real>* const host = coils[std::size_t(c)];
    const Complex<Real>* there = nullptr;
    if constexpr (std::is_same_v<Real, float>)
      there = reinterpret_cast<const float2*>(mixer ? mixer->copyOf(host) : nullptr);
    if (there || (run > 0 && host != coils[std::size_t(c - 1)] + count)) moveRun(c);
    if (!there) ++run;
    from.push_back(there ? there : samples + c * count);
  }
  moveRun(used);
  clock.mark(Stage::transfer, double(moved * count) * sizeof(Complex<Real>));
  for (std::int64_t c = 0; c < used && count > 0; ++c)
    weightKernel<Real><<<blocksFor(count), threadsPerBlock, 0, stream>>>(
        weights_.data(), from[std::size_t(c)], count, samples + c * count);
  checkLaunch("weighting samples");
  if (used < pass && count > 0)
    check(cudaMemsetAsync(samples + used * count, 0,
                          std::size_t((pass - used) * count) * sizeof(Complex<Real>), stream),
          "clearing samples");
  clock.mark(Stage::multiply, double(used * count) * (sizeof(Real) + 2 * sizeof(Complex<Real>)));
}

template <class Real>
void CoilCombiner<Real>::add(const Complex<Real>* images, std::int64_t count, cudaStream_t stream) {
  addSquares<Real><<<blocksFor(squares_.size()), threadsPerBlock, 0, stream>>>(images, squares_.data(),
                                                                               squares_.size(), count);
  checkLaunch("combining coils");
}

template <class Real>
void CoilCombiner<Real>::finish(std::complex<Real>* out, cudaStream_t stream) {
  takeRoot<Real><<<blocksFor(squares_.size()), threadsPerBlock, 0, stream>>>(squares_.data(), result_.data(),
                                                                             squares_.size());
  checkLaunch("combining coils");
  result_.download(reinterpret_cast<Complex<Real>*>(out), result_.size(), stream);
}

template <class Real>
Complex<Real>* CoilCombiner<Real>::result(std::int64_t pixels) {
  result_.resize(pixels);
  return result_.data();
}

template <class Real>
void CoilCombiner<Real>::keep(const Complex<Real>* image, std::complex<Real>* out, cudaStream_t stream) {
  copyToHost(out, image, std::size_t(result_.size()) * sizeof(Complex<Real>), stream);
}

template <class Real>
void CoilCombiner<Real>::loadSets(const std::vector<HostPart<const std::complex<Real>>>& from,
                                  Complex<Real>* samples, const SetView& sets, const Pass& pass,
                                  StageClock& clock, cudaStream_t stream) {
  Complex<Real>* to = samples;
  for (const auto& part : from) {
    copyToDevice(to, part.first, std::size_t(part.count) * sizeof(Complex<Real>), stream);
    to += part.count;
  }
  clock.mark(Stage::transfer, double(to - samples) * sizeof(Complex<Real>));
  multiplySamples<Real>(samples, weights_.data(), sets, pass.sets, pass.imagesOfSet, stream);
  clock.mark(Stage::multiply, double(to - samples) * (sizeof(Real) + 2 * sizeof(Complex<Real>)));
}

template <class Real>
void CoilCombiner<Real>::combineSets(const Complex<Real>* images, std::int64_t pixels, const Pass& pass,
                                     const std::vector<HostPart<std::complex<Real>>>& to, StageClock& clock,
                                     cudaStream_t stream) {
  const std::int64_t count = pass.sets.count * pixels;
  if (pass.imagesOfSet > 1) {
    result_.resize(count);
    rootOfSquares<Real><<<blocksFor(count), threadsPerBlock, 0, stream>>>(images, pixels, pass.imagesOfSet,
                                                                          count, result_.data());
    checkLaunch("combining coils");
    images = result_.data();
    clock.mark(Stage::multiply, double(count) * double(pass.imagesOfSet + 1) * sizeof(Complex<Real>));
  }
  for (const auto& part : to) {
    copyToHost(part.first, images, std::size_t(part.count) * sizeof(Complex<Real>), stream);
    images += part.count;
  }
  clock.mark(Stage::transfer, double(count) * sizeof(Complex<Real>));
}

template class CoilCombiner<float>;
template class CoilCombiner<double>;

}  // namespace spokelab::gpu
