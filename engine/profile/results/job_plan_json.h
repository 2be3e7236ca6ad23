// A job's plan as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/recon/job/job_plan.h"

namespace spokelab {

// What `reconstruct --dry-run --json` writes.
nlohmann::json toJson(const JobPlan& plan);

}  // namespace spokelab
