// Iterative SENSE and pcSENSE on the device: the engine's solver over DeviceSpace.
#pragma once

#include "cuda/recon/operators/device_rank_space.h"
#include "engine/recon/sense/solve_sense.h"

namespace spokelab::gpu {

// As Backend::senseRun, single precision.
std::unique_ptr<SenseRun> senseRunOnDevice(TransformBackend& backend, const SenseProblem& problem);

// As Backend::jointRun, single precision.
std::unique_ptr<SenseRun> jointRunOnDevice(TransformBackend& backend,
                                           const std::vector<SenseProblem>& frames);

// As Backend::rankSenseRun, single precision. keeper: has the connection of the ranks' devices from
// job to job, and outlives the run.
std::unique_ptr<SenseRun> rankSenseRunOnDevice(TransformBackend& backend, Ranks& ranks,
                                               const SenseProblem& problem, const std::vector<int>& share,
                                               CollectiveKeeper& keeper);

}  // namespace spokelab::gpu
