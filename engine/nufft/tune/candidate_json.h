// A candidate as JSON, for wisdom and for reports.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/nufft/tune/result/candidate.h"

namespace spokelab {

struct MemoryCeiling;

nlohmann::json candidateToJson(const Candidate& candidate);
// Throws Error where the JSON does not describe a candidate.
Candidate candidateOfJson(const nlohmann::json& json);

// "executions": null where they are unlimited.
nlohmann::json workloadToJson(const Workload& workload);
Workload workloadOfJson(const nlohmann::json& json);  // throws json::exception, Error

nlohmann::json nufftOptionsToJson(const NufftOptions& options);
NufftOptions nufftOptionsOfJson(const nlohmann::json& json);  // throws Error

nlohmann::json ceilingToJson(const MemoryCeiling& ceiling);
// Seconds and bytes of each stage that has any.
nlohmann::json timingsToJson(const StageTimings& timings);
nlohmann::json predictedToJson(const PredictedError& error);
// Throw json::exception where something is missing; null reads as not-a-number.
StageTimings timingsOfJson(const nlohmann::json& json);
PredictedError predictedOfJson(const nlohmann::json& json);

}  // namespace spokelab
