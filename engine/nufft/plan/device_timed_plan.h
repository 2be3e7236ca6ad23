// Optional interface of a device plan (by dynamic_cast from Nufft<Real>*): times executions whose
// arrays are on the device, by the device's clock. The other costs of a call with host arrays (page
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
  // Random values in. repeated: the same call again and again, as iterations make it; else each
  // call is like the first with its points.
  virtual DeviceRuns deviceRuns(Direction direction, int runs, bool repeated) = 0;
};

}  // namespace spokelab
