// A report as PDF pages: the content of report.html, charts and the bar of stages as vectors.
#pragma once

#include <string>

#include "engine/profile/report/report.h"

namespace spokelab {

// For Report::drawPdf. On any thread where there is an application object; else it makes one,
// offscreen.
std::string reportPdf(const Report& report, const nlohmann::json& document, const std::string& png);

}  // namespace spokelab
