// Nonlinear inversion (engine/recon/sense/unknowns/nlinv.h) with all vectors on the device: between
// Newton steps only sums return to the host.
#pragma once

#include "engine/recon/sense/unknowns/nlinv.h"

namespace spokelab::gpu {

// As Backend::findMapsRun, single precision.
std::unique_ptr<SenseRun> nlinvRunOnDevice(TransformBackend& backend, const SenseProblem& problem,
                                           NlinvFrame* last);

}  // namespace spokelab::gpu
