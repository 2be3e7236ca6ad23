// The normal operator of a plan: its weights, its form (gridded or a convolution), and the
// convolution, made when it is first applied.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cuda/device/device.h"
#include "cuda/nufft/plan/design.h"
#include "cuda/nufft/toeplitz/toeplitz.h"

namespace spokelab::gpu {

// Throws Error where there is not one weight for each point.
void requireWeights(std::int64_t weights, std::int64_t points);

template <class Real>
class NormalForm {
 public:
  // The arguments must outlive the form.
  NormalForm(const DeviceInfo& device, const NufftProblem& problem, const GpuPlanDesign<Real>& design)
      : device_(device), problem_(problem), design_(design) {}

  // Empty: ones.
  void setWeights(std::span<const double> weights);
  void forgetPoints();
  // The form for `count` points and a plan that holds `held` bytes without its normal operator.
  NormalMethod method(std::int64_t count, std::int64_t held) const;
  // Weights on the device, or null for ones. Synchronises where they have to be copied. Throws
  // Error (number).
  const Real* weights(std::int64_t count, cudaStream_t stream);
  // coordinates: device, [count, dims] cycles per pixel. Synchronises when the convolution is made.
  // Throws Error (memory, the point spread function's accuracy).
  ToeplitzOperator<Real>& convolution(NormalMethod method, const double* coordinates, std::int64_t count,
                                      std::int64_t held, cudaStream_t stream);
  std::int64_t memory() const { return deviceWeights_.bytes() + (toeplitz_ ? toeplitz_->memory() : 0); }

 private:
  std::int64_t estimate(bool shifted) const;

  const DeviceInfo& device_;
  const NufftProblem& problem_;
  const GpuPlanDesign<Real>& design_;
  std::vector<double> weights_;
  DeviceBuffer<Real> deviceWeights_;
  // Whether deviceWeights_ hold weights_.
  bool current_ = false;
  std::optional<ToeplitzOperator<Real>> toeplitz_;
};

}  // namespace spokelab::gpu
