// The benches' request to the tuner: arrays on the device, one direction, and new points after a
// number of executions.
#pragma once

#include <vector>

#include "engine/nufft/tune/tune.h"
#include "tests/bench/draws/draw_case.h"

namespace spokelab::bench {

// Executions with the same points; planning is reported apart.
inline constexpr double once = 1, manyTimes = Workload::unlimited;

// points: [M, dims], cycles per pixel, that live as long as the request.
inline TuneRequest drawRequest(const Draw& draw, const std::vector<double>& points, double accuracy,
                               double executions) {
  TuneRequest r;
  r.problem = draw.c.problem;
  r.points = points;
  r.options.accuracy = accuracy;
  r.options.normal = NormalMethod::later;  // never applied, so that no plan keeps the points for it
  r.workload.direction = draw.adjoint ? Direction::adjoint : Direction::forward;
  r.workload.executions = executions;
  r.workload.pointSets = Workload::unlimited;
  r.workload.onDevice = true;
  return r;
}

}  // namespace spokelab::bench
