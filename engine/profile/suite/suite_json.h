// Suites and their cases as JSON. A folder of results keeps its suite, and a run continues in it
// only if the suite is the same: a change of this JSON makes old folders useless.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/profile/suite/suite.h"

namespace spokelab {

nlohmann::json suiteToJson(const Suite& suite);
nlohmann::json suiteCaseToJson(const SuiteCase& c);
SuiteCase suiteCaseFromJson(const nlohmann::json& json);  // throws Error, nlohmann::json::exception

// results.json, without its provenance.
nlohmann::json suiteResults(const Suite& suite, const nlohmann::json& cases);
// The description that all shards of one suite share, by which they are merged. It names scans
// without their folders, which may differ between machines.
nlohmann::json suiteJob(const Suite& suite);

}  // namespace spokelab
