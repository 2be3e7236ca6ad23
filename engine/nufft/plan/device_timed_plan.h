// What a plan on a device may offer beside Nufft (by dynamic_cast from Nufft<Real>*): to time executions whose
// arrays lie on the device, by the device's clock. What a call with the host's arrays takes beside its transfers (page
// faults, copies between buffers, launches, waiting) can be several times the execution.
#pragma once

#include <vector>

#include "engine/core/stage_timer.h"
#include "engine/nufft/problem/options.h"

namespace spokelab {

struct DeviceRuns {
  StageTimings stages;          // of a run by itself
  std::vector<double> seconds;  // of each of the runs that follow each other
};

class DeviceTimedPlan {
 public:
  virtual ~DeviceTimedPlan() = default;
  // Random values in. repeated: the same call again and again, as iterations make it; else each call is like the
  // first with its points.
  virtual DeviceRuns deviceRuns(Direction direction, int runs, bool repeated) = 0;
};

}  // namespace spokelab
