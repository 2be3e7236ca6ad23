// The machine that jobs are planned for (job/job_plan.h).
#pragma once

#include <vector>

#include "engine/recon/job/job_plan.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

// The machine with these backends and the memory that is free now. Memory that happens to be free
// must not change what a reproducible job computes: there all of it counts.
JobMachine machineOf(const std::vector<Backend*>& backends, const ReconOptions& options);

// The machine of one of `ranks` ranks, whose coils are fitted to memory once they know their parts.
JobMachine machineOfRanks(Backend& backend, int ranks, const ReconOptions& options);
// The machine for the part of a rank, whose slabs are settled.
JobMachine machineOfPart(const ReconOptions& options);

}  // namespace spokelab
