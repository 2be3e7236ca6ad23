// Times one path of a problem with a field (engine/recon/sense/paths/path_timing.h), with all
// vectors on the device.
#pragma once

#include "engine/recon/sense/paths/path_timing.h"

namespace spokelab::gpu {

// As TransformBackend::timePath, single precision.
void timePathOnDevice(TransformBackend& backend, const PathRequest& request, Candidate& candidate,
                      const TimingPolicy& policy, const Progress& progress);

}  // namespace spokelab::gpu
