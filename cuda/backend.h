// The one public header of the CUDA module, free of CUDA types. The module is loaded at run time (dlopen, so
// that a machine without toolkit, driver or device starts the program all the same), and this function is
// asked for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/recon/backend.h"

namespace spokelab::gpu {

/// What a plan of this backend offers beside Nufft (by dynamic_cast from Nufft<Real>*): points that lie on
/// the device already, [count, dims] interleaved doubles, cycles per pixel. `stream`: cudaStream_t of the
/// caller, or null for the plan's own. Nothing is synchronised unless timings are asked for; a coordinate
/// that is not finite is then reported by the next call that synchronises.
class DevicePointPlan {
 public:
  virtual ~DevicePointPlan() = default;
  virtual void setDevicePoints(const double* points, std::int64_t count, void* stream,
                               StageTimings* timings) = 0;
};

}  // namespace spokelab::gpu

extern "C" {

/// The backend of device 0, owned by the caller (delete), or null and the reason in words ("No NVIDIA driver:
/// libcuda.so.1 not found") written to `reason`, cut to reasonSize and terminated. Never throws.
spokelab::Backend* spokelabCudaBackend(char* reason, std::size_t reasonSize);

/// The signature above, for dlsym.
using SpokelabCudaBackendFunction = spokelab::Backend* (*)(char*, std::size_t);
}
