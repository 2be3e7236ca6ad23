// The transform under SENSE: a linear map between an image and the samples of some shots. NUFFT,
// Gdft, GdftR2 and the segmented transform are such maps, on the CPU (host memory) and on the GPU
// (device memory).
//   forward: images [count, pixel] -> samples [count, sample]
//   adjoint: its conjugate transpose, unscaled
//   normal:  adjoint(weights * forward(images)), in == out allowed
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"

namespace spokelab {

template <class Real>
class SampleTransform {
 public:
  using Complex = std::complex<Real>;
  virtual ~SampleTransform() = default;

  virtual std::int64_t pixels() const = 0;
  virtual std::int64_t samples() const = 0;
  // Images that one call takes: `count` below is a multiple of it.
  virtual std::int64_t batch() const { return 1; }
  virtual std::string description() const = 0;
  // The plan of its NUFFTs, with the error that is predicted for the whole transform (0: not
  // predicted). Without a backend: it has no NUFFT.
  virtual PlanInfo plan() const { return {}; }
  // Time segments; 0: none.
  virtual std::int64_t segments() const { return 0; }
  // Relative l2 error of forward(), predicted or measured. Exact sums: the rounding error.
  virtual double error() const { return std::numeric_limits<Real>::epsilon(); }

  // Execution says where arrays live and on which stream; times are added to its timings, by
  // transforms that know them. Throws Error; Cancelled.
  virtual void forward(const Complex* images, Complex* samples, std::int64_t count, const Execution& = {},
                       const Progress& = {}) = 0;
  virtual void adjoint(const Complex* samples, Complex* images, std::int64_t count, const Execution& = {},
                       const Progress& = {}) = 0;
  // True if setPoints() can replace its points.
  virtual bool takesPoints() const { return false; }
  // Weights are to be set again. For transforms that take points.
  virtual void setPoints(const PlanPoints& /*points*/) {}
  // One weight a sample; empty: ones.
  virtual void setWeights(std::span<const double> weights) = 0;
  virtual void normal(const Complex* in, Complex* out, std::int64_t count, const Execution& = {},
                      const Progress& = {}) = 0;
  // As setWeights() of weights[j] / divisor. Returns the weights' address in the memory of such an
  // execution, valid until others are set. Null: the transform cannot, and nothing is changed.
  virtual const Real* placeWeights(std::span<const double> /*weights*/, double /*divisor*/,
                                   const Execution&) {
    return nullptr;
  }
  // True if mappedNormal() serves such an execution with the current points and weights.
  virtual bool takesMaps(const Execution&) { return false; }
  // out [count, pixel] = normal(maps[count, pixel] image[pixel]), the products not in memory.
  virtual void mappedNormal(const Complex* /*image*/, const Complex* /*maps*/, Complex* /*out*/,
                            std::int64_t /*count*/, const Execution& = {}, const Progress& = {}) {}
};

}  // namespace spokelab
