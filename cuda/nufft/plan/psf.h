// The point spread function that the Toeplitz form convolves with, by a transform of twice the
// image size at a tenth of the accuracy asked for.
#pragma once

#include <memory>

#include "cuda/device/device.h"
#include "cuda/nufft/toeplitz/toeplitz.h"
#include "engine/nufft/nufft.h"

namespace spokelab::gpu {

// Makes point spread functions for one plan, whose points may change. From the second time on it
// keeps its transform plan if this plan is small.
template <class Real>
class PointSpread {
 public:
  PointSpread();
  ~PointSpread();

  // coordinates: device, [count, dims] cycles per pixel. weights: device, null for ones. Device,
  // problem and options must be the same in each call; options are the plan's. Synchronises. Throws
  // Error (accuracy out of reach, memory).
  void set(const DeviceInfo& device, const NufftProblem& problem, const NufftOptions& options,
           const double* coordinates, std::int64_t count, const Real* weights, ToeplitzOperator<Real>& target,
           cudaStream_t stream);
  std::int64_t memory() const;  // device bytes that it keeps
  void release();

 private:
  struct Plans;
  std::unique_ptr<Plans> plans_;
};

extern template class PointSpread<float>;
extern template class PointSpread<double>;

}  // namespace spokelab::gpu
