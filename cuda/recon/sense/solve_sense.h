// Iterative SENSE and pcSENSE on the device: the engine's solver over DeviceSpace.
#pragma once

#include "engine/recon/sense/solve_sense.h"

namespace spokelab::gpu {

// As Backend::senseRun and solveSense, single precision.
std::unique_ptr<SenseRun> senseRunOnDevice(TransformBackend& backend, const SenseProblem& problem);
SenseSolution solveSenseOnDevice(TransformBackend& backend, const SenseProblem& problem,
                                 const IterationOptions& options, const IterationWatcher& watcher,
                                 const Progress& progress);

}  // namespace spokelab::gpu
