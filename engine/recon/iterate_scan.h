// Iterative reconstruction of a scan: maps, weights, transform and iterations for every frame and
// slice asked for.
#pragma once

#include "engine/recon/backend.h"

namespace spokelab {

// As Backend::reconstruct, for options.iterative.method sense and pcSense. `plan`: how the NUFFT is
// computed. A cancel keeps the frames that are complete, and the last image of the one that was
// under way.
// Throws Error.
Reconstruction iterateScan(Backend& backend, const Scan& scan, const ReconOptions& options,
                           const Candidate* plan, const Progress& progress);

}  // namespace spokelab
