// Writes scans, sweeps, tunings and reconstructions as JSON, and reads tunings and reconstructions
// back.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/core/measure/machine_load.h"
#include "engine/nufft/tune/result/tune_result.h"
#include "engine/profile/results/csv.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/scan/look/raw_summary.h"

namespace spokelab {

nlohmann::json toJson(const Candidate& candidate);
Candidate candidateFromJson(const nlohmann::json& json);  // throws Error
nlohmann::json toJson(const TuneResult& result);
TuneResult tuneResultFromJson(const nlohmann::json& json);  // throws Error
nlohmann::json loadToJson(const MachineLoad& load);         // what is not known is left out
MachineLoad loadFromJson(const nlohmann::json& json);       // throws json::exception
// Stages that took time, total, unaccounted.
nlohmann::json toJson(const JobAccount& account);
JobAccount jobAccountFromJson(const nlohmann::json& json);  // throws Error
nlohmann::json toJson(const Reconstruction& reconstruction);
// The numbers of a reconstruction; its image is null, for the caller to add. Options that this
// version does not know are left at their defaults and named in `unknown`. Throws Error if the JSON
// is not a reconstruction.
Reconstruction reconstructionFromJson(const nlohmann::json& json, std::vector<std::string>& unknown);

nlohmann::json geometryToJson(const Geometry& geometry);
Geometry geometryFromJson(const nlohmann::json& json);
nlohmann::json toJson(const Decision& decision);
nlohmann::json toJson(const Scan& scan);  // what `info --json` writes: sizes, geometry, decisions, warnings
// Energy and largest magnitude of each coil, shots by their largest magnitude, noise.
nlohmann::json toJson(const RawSummary& summary);

nlohmann::json toJson(const ReconOptions& options);
std::map<std::string, std::string> optionValues(const ReconOptions& options);  // all of the table
// Names and values that this version does not take are added to `unknown`, in words.
ReconOptions optionsFromValues(const std::map<std::string, std::string>& values,
                               std::vector<std::string>& unknown);

}  // namespace spokelab
