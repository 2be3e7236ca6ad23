#include "cuda/nufft/plan/normal_form.h"

#include <type_traits>

#include "cuda/device/stream.h"
#include "cuda/device/values/convert.h"
#include "engine/core/error.h"
#include "engine/core/measure/spans.h"
#include "engine/core/text.h"

namespace spokelab::gpu {
namespace {

// Points a pixel from which a convolution is taken for the normal operator where the choice is
// free: its two FFTs of twice the size then cost less than two passes over the points.
constexpr double minToeplitzDensity = 0.25;

std::array<int, 3> sizeOf(const NufftProblem& problem) {
  return {int(problem.size[0]), int(problem.size[1]), int(problem.size[2])};
}

}  // namespace

void requireWeights(std::int64_t weights, std::int64_t points) {
  if (weights != points)
    throw Error("The weights do not fit the points",
                std::to_string(weights) + " weights for " + std::to_string(points) + " points",
                "Set one weight for each point");
}

template <class Real>
void NormalForm<Real>::setWeights(std::span<const double> weights, double divisor, cudaStream_t stream) {
  forgetPoints();
  if (weights.empty()) return weights_.release();
  const auto count = std::int64_t(weights.size());
  if constexpr (std::is_same_v<Real, double>) {
    weights_.upload(weights.data(), count, stream);
    if (divisor != 1) divideRows(weights_.data(), count, 1, {divisor, 1, 1}, stream);
    synchronize(stream);
  } else {
    DeviceBuffer<double> givenWeights;
    givenWeights.upload(weights.data(), count, stream);
    weights_.resize(count);
    convertValues(givenWeights.data(), weights_.data(), count, stream, divisor);
    synchronize(stream);
  }
}

template <class Real>
void NormalForm<Real>::takeWeights(const NormalForm& other, cudaStream_t stream) {
  const std::int64_t count = other.weights_.size();
  weights_.resize(count);
  if (count == 0) return;
  check(cudaMemcpyAsync(weights_.data(), other.weights_.data(), std::size_t(count) * sizeof(Real),
                        cudaMemcpyDeviceToDevice, stream),
        "copying weights");
}

template <class Real>
void NormalForm<Real>::forgetPoints() {
  isCurrent_ = false;
}

template <class Real>
std::int64_t NormalForm<Real>::estimate(bool shifted) const {
  return ToeplitzOperator<Real>::estimate(problem_.dims, sizeOf(problem_), design_.imagesPerPass, shifted,
                                          design_.options.toeplitzAlpha);
}

template <class Real>
NormalMethod NormalForm<Real>::method(std::int64_t count, std::int64_t held) const {
  if (design_.options.normal != NormalMethod::automatic) return design_.options.normal;
  const bool dense = double(count) >= minToeplitzDensity * double(problem_.pixels());
  const std::int64_t limit = design_.options.memoryLimit;
  const bool fits = limit == 0 || held + estimate(false) <= limit;
  return dense && fits ? NormalMethod::toeplitz : NormalMethod::gridded;
}

template <class Real>
const Real* NormalForm<Real>::weights(std::int64_t count) const {
  if (weights_.size() == 0) return nullptr;
  requireWeights(weights_.size(), count);
  return weights_.data();
}

template <class Real>
ToeplitzOperator<Real>& NormalForm<Real>::convolution(NormalMethod method, const double* coordinates,
                                                      std::int64_t count, std::int64_t held,
                                                      cudaStream_t stream) {
  if (isCurrent_) return *toeplitz_;
  synchronize(stream);
  const bool shifted = method == NormalMethod::toeplitzShifted;
  const std::int64_t needed = held + estimate(shifted), limit = design_.options.memoryLimit;
  if (limit > 0 && needed > limit)
    throw Error("Cannot prepare the normal operator",
                "it takes " + megabytesText(needed) + ", the limit is " + megabytesText(limit),
                "Choose \"gridded\" or \"toeplitz-shifted\", or raise the limit");
  const Span traced("convolution made");
  const SpanScope unbooked(SpanCut::stages);
  if (!toeplitz_)
    toeplitz_.emplace(problem_.dims, sizeOf(problem_), design_.imagesPerPass, shifted,
                      design_.options.toeplitzAlpha, stream);
  try {
    pointSpread_.set(device_, problem_, design_.options, coordinates, count, weights(count), *toeplitz_,
                     stream);
  } catch (...) {
    release();
    throw;
  }
  isCurrent_ = true;
  return *toeplitz_;
}

template class NormalForm<float>;
template class NormalForm<double>;

}  // namespace spokelab::gpu
