// Suites and their cases as JSON: what a folder of results is recognised by.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/profile/suite/suite.h"

namespace spokelab {

inline constexpr int suiteFormatVersion = 1;

nlohmann::json suiteToJson(const Suite& suite);
nlohmann::json suiteCaseToJson(const SuiteCase& c);
SuiteCase suiteCaseFromJson(const nlohmann::json& json);  // throws Error, nlohmann::json::exception

}  // namespace spokelab
