// A report as PDF pages: the content of report.html, charts and the bar of stages as vectors.
#pragma once

#include <string>

#include "engine/profile/report/report.h"
#include "engine/profile/study/study_page.h"

namespace spokelab {

// For Report::drawPdf, on any thread; makes an offscreen application if there is none.
std::string reportPdf(const Report& report, const nlohmann::json& document, const std::string& png);

// A study's page in the same way; on any thread.
std::string studyPdf(const StudyPageParts& page, const std::string& title);

}  // namespace spokelab
