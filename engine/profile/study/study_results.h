// A study's rows as JSON and CSV.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/profile/study/study.h"

namespace spokelab {

nlohmann::json toJson(const StudyResult& result);
std::string toCsv(const StudyResult& result);
// Reads the result that toJson() wrote; it lacks places and cases. Throws Error;
// nlohmann::json::exception.
StudyResult studyFromJson(const nlohmann::json& json);

}  // namespace spokelab
