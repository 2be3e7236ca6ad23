// Iterates Pipe and Menon's density weights on the device. The host's version is
// engine/recon/density/pipe_menon.h; keep both equal.
#pragma once

#include "cuda/device/device.h"
#include "engine/recon/density/pipe_menon.h"

namespace spokelab::gpu {

// Throws Error (memory); Cancelled.
Buffer<double> pipeMenonOnDevice(const DeviceInfo& device, const PipeMenonProblem& problem,
                                 const Progress& progress);

}  // namespace spokelab::gpu
