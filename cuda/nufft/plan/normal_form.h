// The normal operator of a plan: its weights, its form (gridded or a convolution), and the
// convolution, made when it is first applied to the points.
#pragma once

#include <optional>
#include <span>

#include "cuda/device/device.h"
#include "cuda/nufft/plan/design.h"
#include "cuda/nufft/plan/psf.h"
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

  // Each weight is divided by `divisor`. Empty weights: all are one. Forgets the convolution.
  // Synchronises.
  void setWeights(std::span<const double> weights, double divisor, cudaStream_t stream);
  // Takes the weights of another plan with the same points, which are on the device already.
  void takeWeights(const NormalForm& other, cudaStream_t stream);
  // The points changed: the next convolution() makes its point spread function anew.
  void forgetPoints();
  // Frees the convolution's memory, for points whose normal operator is gridded.
  void release() {
    toeplitz_.reset();
    pointSpread_.release();
    isCurrent_ = false;
  }
  // The form for `count` points and a plan that holds `held` bytes without its normal operator.
  NormalMethod method(std::int64_t count, std::int64_t held) const;
  // Weights on the device, or null for ones. Throws Error (number).
  const Real* weights(std::int64_t count) const;
  // True without weights, or with one weight for each of `count` points.
  bool fits(std::int64_t count) const { return weights_.size() == 0 || weights_.size() == count; }
  // The convolution of the present points and weights, made if it is not there yet. coordinates:
  // device, [count, dims] cycles per pixel. held: as above, for the memory limit. Synchronises when
  // the convolution is made.
  // Throws Error (memory, the point spread function's accuracy).
  ToeplitzOperator<Real>& convolution(NormalMethod method, const double* coordinates, std::int64_t count,
                                      std::int64_t held, cudaStream_t stream);
  std::int64_t memory() const {
    return weights_.bytes() + (toeplitz_ ? toeplitz_->memory() : 0) + pointSpread_.memory();
  }

 private:
  // Bytes of the convolution. shifted: in the form `toeplitz-shifted`.
  std::int64_t estimate(bool shifted) const;

  const DeviceInfo& device_;
  const NufftProblem& problem_;
  const GpuPlanDesign<Real>& design_;
  DeviceBuffer<Real> weights_;
  std::optional<ToeplitzOperator<Real>> toeplitz_;  // its grids and FFTs stay for other points
  PointSpread<Real> pointSpread_;
  bool isCurrent_ = false;  // toeplitz_ belongs to the present points and weights
};

}  // namespace spokelab::gpu
