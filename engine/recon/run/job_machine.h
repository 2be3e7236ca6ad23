// The machine that jobs are planned for (job/job_plan.h).
#pragma once

#include <vector>

#include "engine/recon/job/job_plan.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

// These backends and the free memory; for a reproducible job all memory counts.
JobMachine machineOf(const std::vector<Backend*>& backends, const ReconOptions& options);

// The machine of one of `ranks` ranks, whose coils are fitted to memory once they know their parts.
JobMachine machineOfRanks(Backend& backend, int ranks, const ReconOptions& options);
// The machine for the part of a rank, whose slabs are settled.
JobMachine machineOfPart(const ReconOptions& options);

}  // namespace spokelab
