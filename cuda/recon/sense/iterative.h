// Iterative SENSE and pcSENSE on the device: the engine's solver over DeviceSpace.
#pragma once

#include "engine/recon/sense/iterative.h"

namespace spokelab::gpu {

/// As Backend::solveSense, single precision.
SenseSolution solveSenseOnDevice(Backend& backend, const SenseProblem& problem,
                                 const IterationOptions& options, const IterationWatcher& watcher,
                                 const Progress& progress);

}  // namespace spokelab::gpu
