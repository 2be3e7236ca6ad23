// Transforms of one grid, timed by events in turns: what pruning could gain ([gnufftw] IV.C.1).
#pragma once

#include "cuda/device/device.h"
#include "engine/nufft/nufft.h"

namespace spokelab::gpu {

// NufftBackend::gridFftRounds with cuFFT, and with the passes of plans.
GridFftRounds gridFftRounds(const DeviceInfo& device, int side, int pixels, int rounds,
                            const Progress& progress);

}  // namespace spokelab::gpu
