// A job's plan and a choice of lambda as JSON, for --json and the C interface.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "engine/core/output/kept_values.h"
#include "engine/recon/explore/lambda/lambda_choice.h"
#include "engine/recon/job/job_plan.h"

namespace spokelab {

// The document of `reconstruct --dry-run --json`.
nlohmann::json toJson(const JobPlan& plan);
// The list "kept" of this document and of `wisdom show --json`.
nlohmann::json keptToJson(const std::vector<KeptItem>& items);
// Misfits are shares of the samples' energy.
nlohmann::json toJson(const LambdaChoice& choice);

}  // namespace spokelab
