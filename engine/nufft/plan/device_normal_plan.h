// What a plan may offer beside Nufft (by dynamic_cast from Nufft<Real>*) to callers whose arrays lie in its
// memory (Execution::devicePointers): the normal operator of one image times several maps, whose products are made
// where it reads them and never lie in memory, and its weights.
#pragma once

#include <span>

#include "engine/nufft/nufft.h"

namespace spokelab {

template <class Real>
class DeviceNormalPlan {
 public:
  using Complex = std::complex<Real>;
  virtual ~DeviceNormalPlan() = default;
  // Whether mappedNormal() serves such an execution with the points and weights of now.
  virtual bool takesMaps(const Execution& execution) = 0;
  // out [batch, pixel] = normal(maps[b, pixel] image[pixel]). Where takesMaps().
  virtual void mappedNormal(const Complex* image, const Complex* maps, Complex* out,
                            const Execution& execution) = 0;
  // As Nufft::setWeights() of weights[j] / divisor, which are divided and rounded where they lie; returns that
  // place, until others are set. Null, and nothing is done: such an execution reads its arrays elsewhere.
  virtual const Real* placeWeights(std::span<const double> weights, double divisor,
                                   const Execution& execution) = 0;
};

}  // namespace spokelab
