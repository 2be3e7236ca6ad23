#include "cuda/nufft/points/point_sets.h"

#include <algorithm>

#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/interval.cuh"
#include "cuda/nufft/points/set_place.cuh"

namespace spokelab::gpu {
namespace {

__global__ void numberSets(const std::int64_t* start, std::int64_t sets, std::int64_t points,
                           std::uint32_t* ofPoint) {
  const std::int64_t p = globalThread();
  if (p < points) ofPoint[p] = std::uint32_t(intervalOf(start, sets, p));
}

template <class Real>
__global__ void multiplyKernel(Complex<Real>* samples, const Real* weights,
                               const __grid_constant__ SetView sets, const __grid_constant__ SetRange range,
                               int images) {
  const std::int64_t p = range.begin + globalThread();
  if (p >= range.end) return;
  const Real w = weights[p];
  const SetPlace set = placeOfPoint(sets, range, p, images);
  for (int b = 0; b < images; ++b) {
    Complex<Real>& sample = samples[set.first + b * set.points + p];
    sample = {sample.x * w, sample.y * w};
  }
}

}  // namespace

void DeviceSets::set(std::span<const std::int64_t> offsets, cudaStream_t stream) {
  offsets_.assign(offsets.begin(), offsets.end());
  several_ = true;
  largest_ = 0;
  for (std::size_t s = 0; s + 1 < offsets_.size(); ++s)
    largest_ = std::max(largest_, offsets_[s + 1] - offsets_[s]);
  start_.upload(offsets_.data(), std::int64_t(offsets_.size()), stream);
  ofPoint_.resize(points());
  if (points() == 0) return;
  numberSets<<<blocksFor(points()), threadsPerBlock, 0, stream>>>(start_.data(), count(), points(),
                                                                  ofPoint_.data());
  checkLaunch("numbering sets of points");
}

void DeviceSets::setOne(std::int64_t points) {
  several_ = false;
  offsets_ = {0, points};
  largest_ = points;
}

SetView DeviceSets::view() const {
  SetView view;
  if (!several_) return view;
  view.count = count();
  view.start = start_.data();
  view.ofPoint = ofPoint_.data();
  return view;
}

SetRange DeviceSets::range(std::int64_t first, std::int64_t count) const {
  return {first, count, offsets_[std::size_t(first)], offsets_[std::size_t(first + count)]};
}

std::int64_t DeviceSets::estimate(std::int64_t sets, std::int64_t points) {
  if (sets == 1) return 0;
  return (sets + 1) * std::int64_t(sizeof(std::int64_t)) + points * std::int64_t(sizeof(std::uint32_t));
}

template <class Real>
void multiplySamples(Complex<Real>* samples, const Real* weights, const SetView& sets, const SetRange& range,
                     std::int64_t images, cudaStream_t stream) {
  if (range.points() == 0) return;
  multiplyKernel<Real>
      <<<blocksFor(range.points()), threadsPerBlock, 0, stream>>>(samples, weights, sets, range, int(images));
  checkLaunch("weighting samples");
}

template void multiplySamples(float2*, const float*, const SetView&, const SetRange&, std::int64_t,
                              cudaStream_t);
template void multiplySamples(double2*, const double*, const SetView&, const SetRange&, std::int64_t,
                              cudaStream_t);

}  // namespace spokelab::gpu
