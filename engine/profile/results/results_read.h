// Results read back from the JSON that results.h writes: what sessions are restored from.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/recon/run/reconstruction.h"

namespace spokelab {

// The numbers of a reconstruction; its image is null, for the caller to add. Options that this
// version does not know are left at their defaults and named in `unknown`. Throws Error if the JSON
// is not a reconstruction.
Reconstruction reconstructionFromJson(const nlohmann::json& json, std::vector<std::string>& unknown);
JobAccount jobAccountFromJson(const nlohmann::json& json);  // throws Error
TuneResult tuneResultFromJson(const nlohmann::json& json);  // throws Error

// name -> value of the table; names and values that this version does not take are added to
// `unknown`, in words.
ReconOptions optionsFromValues(const std::map<std::string, std::string>& values,
                               std::vector<std::string>& unknown);
std::map<std::string, std::string> optionValues(const ReconOptions& options);  // all of the table

MachineLoad loadFromJson(const nlohmann::json& json);  // throws Error

nlohmann::json geometryToJson(const Geometry& geometry);
Geometry geometryFromJson(const nlohmann::json& json);

// A number that may not be finite: JSON has null instead.
double numberFromJson(const nlohmann::json& json);

}  // namespace spokelab
