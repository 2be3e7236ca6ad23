// Iterative SENSE and pcSENSE on the device: the engine's solver over DeviceSpace.
#pragma once

#include "engine/recon/sense/solve_sense.h"

namespace spokelab::gpu {

// As Backend::solveSense, single precision.
SenseSolution solveSenseOnDevice(TransformBackend& backend, const SenseProblem& problem,
                                 const IterationOptions& options, const IterationWatcher& watcher,
                                 const Progress& progress);

}  // namespace spokelab::gpu
