// A job's plan as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "engine/core/output/kept_values.h"
#include "engine/recon/job/job_plan.h"

namespace spokelab {

// The document of `reconstruct --dry-run --json`.
nlohmann::json toJson(const JobPlan& plan);
// The list "kept" of this document and of `wisdom show --json`.
nlohmann::json keptToJson(const std::vector<KeptItem>& items);

}  // namespace spokelab
