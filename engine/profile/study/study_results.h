// A study's rows as JSON and CSV.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/profile/study/study.h"

namespace spokelab {

nlohmann::json toJson(const StudyResult& result);
std::string toCsv(const StudyResult& result);
// Reads what toJson() wrote, except places and cases, which stay empty. Throws Error and
// nlohmann::json::exception.
StudyResult studyFromJson(const nlohmann::json& json);

}  // namespace spokelab
