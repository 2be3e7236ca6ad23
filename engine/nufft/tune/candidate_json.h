// A candidate as JSON, for wisdom and for reports.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

nlohmann::json candidateToJson(const Candidate& candidate);
Candidate candidateOfJson(const nlohmann::json& json);  // throws Error where it is not one

nlohmann::json nufftOptionsToJson(const NufftOptions& options);
NufftOptions nufftOptionsOfJson(const nlohmann::json& json);  // throws Error

nlohmann::json ceilingToJson(const MemoryCeiling& ceiling);
nlohmann::json timingsToJson(const StageTimings& timings);  // seconds and bytes of each stage that has any
nlohmann::json predictedToJson(const PredictedError& error);
// Throw json::exception where something is missing; null reads as not-a-number.
StageTimings timingsOfJson(const nlohmann::json& json);
PredictedError predictedOfJson(const nlohmann::json& json);

}  // namespace spokelab
