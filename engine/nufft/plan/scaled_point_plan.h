// Optional interface of a plan (by dynamic_cast from Nufft<Real>*): points in another unit, which
// the plan converts when it stores them. The caller makes no converted copy.
#pragma once

#include <array>
#include <span>

#include "engine/core/stage_timer.h"

namespace spokelab {

class ScaledPointPlan {
 public:
  virtual ~ScaledPointPlan() = default;
  // As Nufft::setPoints() of points[j, d] / divisors[d], in cycles per pixel; one divisor a
  // dimension. placed: a copy of the points in the plan's memory, or null.
  virtual void setScaledPoints(std::span<const double> points, const std::array<double, 3>& divisors,
                               const double* placed, StageTimings* timings) = 0;
};

}  // namespace spokelab
