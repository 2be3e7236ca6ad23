// Profile results as JSON and CSV: what sweeps, tunes and reports write, and what can be read back.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/recon/run/reconstruction.h"
#include "engine/scan/look/raw_summary.h"

namespace spokelab {

nlohmann::json toJson(const Candidate& candidate);
Candidate candidateFromJson(const nlohmann::json& json);  // throws Error
nlohmann::json toJson(const TuneResult& result);
nlohmann::json loadToJson(const MachineLoad& load);  // what is not known is left out
nlohmann::json toJson(const Reconstruction& reconstruction);
nlohmann::json toJson(const JobAccount& account);  // stages that took time, total, unaccounted
nlohmann::json toJson(const Decision& decision);
nlohmann::json toJson(const Scan& scan);  // what `info --json` writes: sizes, geometry, decisions, warnings
// Energy and largest magnitude of each coil, shots by their largest magnitude, noise.
nlohmann::json toJson(const RawSummary& summary);
nlohmann::json toJson(const ReconOptions& options);

// One row for each candidate: path, backend, methods, alpha, W, alpha_T, grid, predicted and
// measured error of the direction, error of its transforms, quartiles of the cost, stage times,
// memory, all repeats.
std::string toCsv(const TuneResult& result);
// The same in parts: the names of the columns, and the rows, each behind `before`.
std::string csvColumns();
std::string csvRows(const TuneResult& result, const std::string& before);

}  // namespace spokelab
