// The claims of the papers' studies over all finished cases of a suite, and their page.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/profile/study/claims/claims.h"

namespace spokelab {

inline constexpr const char* verdictsFile = "verdicts.md";

// cases: of results.json. The rows of a study's cases are judged together.
std::vector<ClaimResult> claimsOfCases(const nlohmann::json& cases);
nlohmann::json claimsToJson(const std::vector<ClaimResult>& results);
// Writes the page into the folder, for a suite that has claims. provenance: of results.json.
void writeVerdicts(const std::filesystem::path& folder, const std::vector<ClaimResult>& results,
                   const nlohmann::json& provenance);

}  // namespace spokelab
