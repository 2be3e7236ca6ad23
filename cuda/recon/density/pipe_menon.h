// Pipe and Menon's density weights, iterated on the device: what engine/recon/density/pipe_menon.h
// does on the host.
#pragma once

#include "cuda/device/device.h"
#include "engine/recon/density/pipe_menon.h"

namespace spokelab::gpu {

// Throws Error (memory); Cancelled.
Buffer<double> pipeMenonOnDevice(const DeviceInfo& device, const PipeMenonProblem& problem,
                                 const Progress& progress);

}  // namespace spokelab::gpu
