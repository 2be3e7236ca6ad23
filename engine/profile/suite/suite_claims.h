// The claims of the papers' studies over all finished cases of a suite, and their page.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/profile/study/claims/claims.h"

namespace spokelab {

inline constexpr const char *verdictsFile = "verdicts.md", *suitePageFile = "report.html";

// cases: of results.json. The cases of a study are one result, with all of their rows.
std::vector<StudyResult> studiesOfCases(const nlohmann::json& cases);
std::vector<ClaimResult> claimsOfStudies(const std::vector<StudyResult>& results);
// The rows of a study's cases are judged together.
std::vector<ClaimResult> claimsOfCases(const nlohmann::json& cases);
nlohmann::json claimsToJson(const std::vector<ClaimResult>& results);
// Writes the pages of a suite that has studies into the folder: report.html, and verdicts.md where
// there are claims, which are returned. provenance: of results.json.
std::vector<ClaimResult> writeSuitePages(const std::filesystem::path& folder, const std::string& suite,
                                         const nlohmann::json& cases, const nlohmann::json& provenance);

}  // namespace spokelab
