// The purpose of a plan: the operators that run, and the number of executions before it gets new
// points. A plan is judged by the whole cost of one execution:
//   execution + copies + (points + plan / point sets) / executions
// so stored kernel values win if they are used often, and lose if each execution brings new points.
#pragma once

#include <cmath>
#include <string>

#include "engine/nufft/problem/options.h"

namespace spokelab {

struct Workload {
  static constexpr double unlimited = HUGE_VAL;
  // Executions for a set of points that C and Python callers do not state. Stored kernel values
  // must repay within this number.
  static constexpr double usualExecutions = 10;

  Direction direction = Direction::both;
  double executions = unlimited;  // of the direction, for each set of points
  double pointSets = 1;           // that one plan is given, one after the other
  // GPU plans: images and samples are in device memory, and so are points where a plan is given
  // more than one set of them, so that nothing is copied.
  bool onDevice = false;
  // Sets of points given in one call and transformed together, where the backend can
  // (plan_points.h).
  double together = 1;

  bool operator==(const Workload&) const = default;
};

// Seconds of the parts of the cost, measured or predicted.
struct CostParts {
  double plan = 0;       // to make it
  double points = 0;     // to set one set of points; with what a normal operator prepares for them
  double execution = 0;  // one call
  double transfer = 0;   // copies between host and GPU in one call

  double whole(const Workload& workload) const {
    return execution + (workload.onDevice ? 0 : transfer) + share(workload);
  }
  // The share of plan and points in the cost of one execution.
  double share(const Workload& workload) const {
    return (points + plan / workload.pointSets) / workload.executions;
  }
};

// "adjoint, 4 executions for each of 200 sets of points"; "normal, executions alone".
std::string workloadText(const Workload& workload);

}  // namespace spokelab
