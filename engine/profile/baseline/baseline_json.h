// Baselines and their comparison as JSON and CSV.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/nufft/tune/result/candidate.h"
#include "engine/profile/baseline/baseline_compare.h"

namespace spokelab {

nlohmann::json toJson(const Baseline& baseline);
nlohmann::json toJson(const BaselineComparison& comparison);
std::string toCsv(const BaselineComparison& comparison);
void writeBaseline(const Baseline& baseline, const std::filesystem::path& file);  // atomically
// Throws Error.
Baseline readBaseline(const std::filesystem::path& file, const Progress& progress = {});

// The candidates in the JSON of a sweep, a tuning, a report or a baseline. Throws Error.
std::vector<Candidate> plansIn(const std::filesystem::path& json, const Progress& progress = {});

}  // namespace spokelab
