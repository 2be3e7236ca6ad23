// Optional interface of a GPU plan (by dynamic_cast from Nufft<Real>*): points that are already on
// the device.
#pragma once

#include <cstdint>

#include "engine/core/stage_timer.h"

namespace spokelab {

class DevicePointPlan {
 public:
  virtual ~DevicePointPlan() = default;
  // points: device, [count, dims] interleaved doubles, cycles per pixel. stream: the caller's
  // cudaStream_t, or null for the plan's own. Throws Error where they do not lie
  // in device memory. Waits where timings are asked for, and until it is known whether points crowd
  // (cuda/nufft/spread/crowd.h), with the sorts queued behind; a coordinate that is not finite is
  // otherwise reported by the next call that waits.
  virtual void setDevicePoints(const double* points, std::int64_t count, void* stream,
                               StageTimings* timings) = 0;
};

}  // namespace spokelab
