// Nonlinear inversion (engine/recon/sense/unknowns/nlinv.h) with all vectors on the device: between
// Newton steps only sums return to the host.
#pragma once

#include "engine/recon/sense/unknowns/nlinv.h"

namespace spokelab::gpu {

// The run of TransformBackend::findMapsRun in single precision. `backend` and `problem` outlive it.
// last: start values of the first frame, and the run's destructor writes its last frame there;
// null: start anew and write nothing. It outlives the run.
std::unique_ptr<SenseRun> nlinvRunOnDevice(TransformBackend& backend, const SenseProblem& problem,
                                           NlinvFrame* last);

}  // namespace spokelab::gpu
