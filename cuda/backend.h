// The one public header of the CUDA module, free of CUDA types. The module is loaded at run time
// (dlopen, so that a machine without toolkit, driver or device starts the program all the same),
// and this function is asked for. Its plans are also DevicePointPlans
// (cuda/nufft/plan/device_point_plan.h).
#pragma once

#include <cstddef>

#include "engine/recon/backend.h"

extern "C" {

// The backend of device 0, owned by the caller (delete), or null and the reason in words ("No
// NVIDIA driver: libcuda.so.1 not found") written to `reason`, cut to reasonSize and terminated.
// Never throws.
spokelab::Backend* spokelabCudaBackend(char* reason, std::size_t reasonSize);

// The signature above, for dlsym.
using SpokelabCudaBackendFunction = spokelab::Backend* (*)(char*, std::size_t);
}
