#include "cuda/recon/sense/time_path.h"

#include "cuda/recon/operators/device_space.h"

namespace spokelab::gpu {

void timePathOnDevice(TransformBackend& backend, const PathRequest& request, Candidate& candidate,
                      const TimingPolicy& policy, const Progress& progress) {
  DeviceSpace space;
  timePathIn(space, backend, request, candidate, policy, progress);
}

}  // namespace spokelab::gpu
