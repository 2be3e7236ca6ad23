// Options of a pattern, and the sum of a trajectory's weights.
#pragma once

#include <numeric>

#include "engine/scan/simulate/trajectories.h"

namespace spokelab::test {

inline TrajectoryOptions options(Pattern pattern, Index3 matrix, double acceleration = 1) {
  TrajectoryOptions o;
  o.pattern = pattern;
  o.matrix = matrix;
  o.acceleration = acceleration;
  return o;
}

inline double weightSum(const Trajectory& t) {
  return std::accumulate(t.weights.begin(), t.weights.end(), 0.0);
}

}  // namespace spokelab::test
