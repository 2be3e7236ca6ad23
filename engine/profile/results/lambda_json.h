// A choice of lambda as JSON, for --json and the C interface: misfits are shares of the samples'
// energy.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/recon/explore/lambda/lambda_choice.h"

namespace spokelab {

nlohmann::json toJson(const LambdaChoice& choice);

}  // namespace spokelab
