// Optional interface of a plan (by dynamic_cast from Nufft<Real>*) for callers whose arrays are in
// its memory (Execution::devicePointers): the normal operator of one image times several maps, and
// its weights. The products are made when they are read and are never stored.
#pragma once

#include <span>

#include "engine/nufft/nufft.h"

namespace spokelab {

template <class Real>
class DeviceNormalPlan {
 public:
  using Complex = std::complex<Real>;
  virtual ~DeviceNormalPlan() = default;
  // True if mappedNormal() serves such an execution with the present points and weights.
  virtual bool takesMaps(const Execution& execution) = 0;
  // out [batch, pixel] = normal(maps[b, pixel] image[pixel]). Where takesMaps().
  virtual void mappedNormal(const Complex* image, const Complex* maps, Complex* out,
                            const Execution& execution) = 0;
  // As Nufft::setWeights() of weights[j] / divisor, which are divided and rounded where they lie;
  // returns that place, until others are set. Null, and nothing is done: such an execution reads
  // its arrays elsewhere.
  virtual const Real* placeWeights(std::span<const double> weights, double divisor,
                                   const Execution& execution) = 0;
};

}  // namespace spokelab
