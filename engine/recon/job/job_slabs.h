// Whether and how the volume of a job is transformed in slabs (slab_nufft.h).
#pragma once

#include <cstdint>
#include <string>

#include "engine/recon/job/job_plan.h"

namespace spokelab {

// Why the job's transforms cannot be made in slabs; empty: they can. Gridding can, and so does SENSE
// with gridded NUFFTs and without a field, of a volume.
std::string reasonAgainstSlabs(const JobPlan& plan);

// As many slabs as the options ask for, or fewer of the same length; 1: the volume is not divided.
// Throws Error for more slabs than the volume has planes.
std::int64_t slabsOf(const JobPlan& plan);

// The plan with the volume in as few slabs as let its NUFFT fit into the machine's memory and under the
// memory limit, and then at least one for each device where there is nothing else to divide. Unchanged
// where it fits undivided, where slabs are given or do not help. A note says so.
void divideIntoSlabs(JobPlan& plan, const JobMachine& machine);

}  // namespace spokelab
