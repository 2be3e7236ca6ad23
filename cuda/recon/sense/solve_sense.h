// Iterative SENSE and pcSENSE on the device: the engine's solver over DeviceSpace.
#pragma once

#include "engine/recon/sense/solve_sense.h"

namespace spokelab::gpu {

// As Backend::senseRun, single precision.
std::unique_ptr<SenseRun> senseRunOnDevice(TransformBackend& backend, const SenseProblem& problem);

}  // namespace spokelab::gpu
