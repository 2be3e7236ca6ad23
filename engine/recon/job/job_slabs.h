// The slabs in which the volume of a job is transformed (slab_nufft.h).
#pragma once

#include <cstdint>
#include <string>

#include "engine/recon/job/job_plan.h"

namespace spokelab {

// Why the job's transforms cannot be slabs; empty: gridding and SENSE without a field can.
std::string reasonAgainstSlabs(const JobPlan& plan);

// Slabs that the options ask for, or fewer of the same length; 1: undivided. Throws Error.
std::int64_t slabsOf(const JobPlan& plan);

// Divides the volume into the fewest slabs for which its NUFFT fits into the machine's memory and
// under the memory limit, and then at least one for each device if nothing else can be divided. The
// plan is unchanged where it fits undivided, where slabs are given or do not help. A note says so.
void divideIntoSlabs(JobPlan& plan, const JobMachine& machine);

}  // namespace spokelab
