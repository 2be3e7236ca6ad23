// The number of a job's coils that are transformed together.
#pragma once

#include <cstdint>

#include "engine/recon/job/job_plan.h"

namespace spokelab {

// All of them, or fewer where their images and samples would take more than 1 GB (or than four
// coils need, to share kernel values), half of the memory limit, or an eighth of the machine's
// memory.
std::int64_t coilsTransformedAtOnce(const JobPlan& plan);

}  // namespace spokelab
