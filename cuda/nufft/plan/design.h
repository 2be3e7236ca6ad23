// Everything of a GPU plan that follows from problem and options alone: kernel, grid, methods, images at a
// time.
#pragma once

#include "cuda/device/device.h"
#include "cuda/nufft/method.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/nufft.h"

namespace spokelab::gpu {

template <class Real>
struct Design {
  NufftOptions options;  // settled, but for `normal`, which may stay automatic until points are known
  std::shared_ptr<const Kernel> kernel;
  Index3 grid{1, 1, 1};
  KernelPolynomial polynomial;
  std::vector<Real>
      lines;  // precomputation "linear": what setup.table.lines is to point to, a copy of it on the device
  PredictedError error;
  MethodSetup<Real> setup;
  const MethodFactory<Real>* spread = nullptr;
  const MethodFactory<Real>* interpolate = nullptr;
  std::int64_t chunk = 1;    // images that share a pass; divides the batch
  std::int64_t fftWork = 0;  // bytes of the FFT's work area for one image, estimated once

  /// Throws Error: options out of range, accuracy out of reach, no such method for this problem, memory
  /// limit.
  Design(const DeviceInfo& device, const NufftProblem& problem, const NufftOptions& asked);

  /// Bytes with `points` points: grids, FFT work, sorted points, staging for host pointers.
  std::int64_t memory(const NufftProblem& problem, std::int64_t points) const;
};

/// Setup alone, for ranking methods: no memory checks, methods left open.
template <class Real>
MethodSetup<Real> methodSetup(const DeviceInfo& device, const NufftProblem& problem,
                              const NufftOptions& settled, std::shared_ptr<const Kernel>& kernel,
                              Index3& grid, KernelPolynomial& polynomial);

/// Factories that serve the setup, most promising first.
template <class Real>
std::vector<const MethodFactory<Real>*> rankedFactories(const MethodSetup<Real>& setup,
                                                        GridDirection direction);

/// "812 MB".
std::string megabytes(std::int64_t bytes);

}  // namespace spokelab::gpu
