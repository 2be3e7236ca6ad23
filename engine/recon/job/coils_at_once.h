// The number of a job's coils that are transformed together.
#pragma once

#include <cstdint>

#include "engine/recon/job/job_plan.h"

namespace spokelab {

// All coils, or fewer where their images and samples would take more than the smallest of these:
//   1 GB, or the bytes of four coils if they are more: four coils share kernel values;
//   an eighth of the machine's memory;
//   half of the memory limit, where the options have one.
// A number that the options ask for replaces the first two. At least one coil.
std::int64_t coilsTransformedAtOnce(const JobPlan& plan);

}  // namespace spokelab
