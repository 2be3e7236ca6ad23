// A report as PDF pages: the content of report.html, charts and the bar of stages as vectors.
#pragma once

#include <string>

#include "engine/profile/report/report.h"
#include "engine/profile/study/study_page.h"

namespace spokelab {

// Returns the bytes of a PDF, for Report::drawPdf. png: the image's picture. Call it on any thread
// while a QApplication exists; else on the main thread, where it makes an offscreen one.
std::string reportPdf(const Report& report, const nlohmann::json& document, const std::string& png);

// A study's page in the same way.
std::string studyPdf(const StudyPageParts& page, const std::string& title);

}  // namespace spokelab
