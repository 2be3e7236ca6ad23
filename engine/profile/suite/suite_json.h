// Suites and their cases as JSON: what a folder of results is recognised by.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/profile/suite/suite.h"

namespace spokelab {

inline constexpr int suiteFormatVersion = 1;

nlohmann::json suiteToJson(const Suite& suite);
nlohmann::json suiteCaseToJson(const SuiteCase& c);
SuiteCase suiteCaseFromJson(const nlohmann::json& json);  // throws Error, nlohmann::json::exception

// results.json, without its provenance.
nlohmann::json suiteResults(const Suite& suite, const nlohmann::json& cases);
// The common part of a suite's shards; folders of scans may differ between machines.
nlohmann::json suiteJob(const Suite& suite);

}  // namespace spokelab
