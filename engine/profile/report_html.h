// A report as one HTML page: pictures and charts lie in it, no script runs, nothing is fetched.
#pragma once

#include <string>

#include "engine/profile/report.h"

namespace spokelab {

// document: toJson(report), which the page quotes. png: the image's picture; may be empty.
std::string reportHtml(const Report& report, const nlohmann::json& document, const std::string& png);

}  // namespace spokelab
