// Everything of a GPU plan that follows from problem and options alone: kernel, grid, methods,
// images and sets of points a pass.
#pragma once

#include "cuda/device/device.h"
#include "cuda/nufft/method.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/nufft.h"

namespace spokelab::gpu {

template <class Real>
struct GpuPlanDesign {
  // Resolved; only `normal` may stay automatic until points are known.
  NufftOptions options;
  std::shared_ptr<const Kernel> kernel;
  Index3 grid{1, 1, 1};
  KernelPolynomial polynomial;
  // Precomputation "linear": the table whose copy on the device setup.table.lines points to.
  std::vector<Real> lines;
  PredictedError error;
  MethodSetup<Real> setup;
  const MethodFactory<Real>* spread = nullptr;
  const MethodFactory<Real>* interpolate = nullptr;
  // Interpolation alone was asked for, and spreading takes its order of points: what only spreading
  // needs is made when it is first called.
  bool spreadsLater = false;
  // Bins that `gm-sort` in one direction takes from the method of the other direction, so that
  // points are sorted once; 0: each method has its own choice.
  Index3 sharedBins{0, 0, 0};
  // Images of one pass. The last pass may have fewer. With several sets of points: the images of
  // all sets of a pass.
  std::int64_t imagesPerPass = 1;
  std::int64_t setsPerPass = 1;
  std::int64_t fftWork = 0;  // bytes of the FFT's work area for one image, estimated once

  // equalPasses: imagesPerPass divides the batch. Throws Error:
  // options out of range, accuracy out of reach, no such method for this problem, memory limit.
  GpuPlanDesign(const DeviceInfo& device, const NufftProblem& problem, const NufftOptions& asked,
                bool equalPasses = false);

  // The set-up that the method of a direction is made with.
  MethodSetup<Real> setupOf(GridDirection direction) const;
  // Bytes with `points` points in all: grids, FFT work, sorted points, staging for host pointers.
  std::int64_t memory(const NufftProblem& problem, std::int64_t points) const;

 private:
  void chooseMethods(Method spreading, Method interpolation);
  void choosePasses(const NufftProblem& problem, bool equal);
  GridDirection sharing_ = GridDirection::spread;  // of the method that has sharedBins
};

// Setup alone, for ranking methods: no memory checks, methods left open.
template <class Real>
MethodSetup<Real> methodSetup(const DeviceInfo& device, const NufftProblem& problem,
                              const NufftOptions& resolved, std::shared_ptr<const Kernel>& kernel,
                              Index3& grid, KernelPolynomial& polynomial);

// Factories that serve the setup, most promising first.
template <class Real>
std::vector<const MethodFactory<Real>*> rankedFactories(const MethodSetup<Real>& setup,
                                                        GridDirection direction);

// Bytes such a plan would take with `points` points, staging for host pointers included. Nothing is
// allocated.
std::int64_t estimateMemory(const DeviceInfo& device, const NufftProblem& problem,
                            const NufftOptions& options, std::int64_t points);

// Methods that serve the problem and are worth timing, most promising first. Others can be asked
// for by name.
// all: those that are ranked far behind the first, too.
std::vector<Method> rankedMethods(const DeviceInfo& device, const NufftProblem& problem,
                                  const NufftOptions& options, bool spread, bool all = false);

}  // namespace spokelab::gpu
