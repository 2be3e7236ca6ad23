// A report as one HTML page: it contains pictures and charts, runs no script and fetches nothing.
// Other formats (PDF) use its text and draw the figures themselves.
#pragma once

#include <string>

#include "engine/profile/report/report.h"

namespace spokelab {

// Figures in the body. inlined: the pictures and charts themselves. named: [[NAME]] in their place,
// where NAME is the file of a chart or of a noise map, or one of the two constants below.
enum class ReportFigures { inlined, named };
inline constexpr const char *pictureFigure = "picture", *stagesFigure = "stages";

// png: may be empty where figures are named.
std::string reportBody(const Report& report, const nlohmann::json& document, ReportFigures figures,
                       const std::string& png = {});

std::string pictureHtml(const std::string& alternative, const std::string& caption, const std::string& png);

// document: toJson(report), which the page quotes. png: the image's picture; may be empty.
std::string reportHtml(const Report& report, const nlohmann::json& document, const std::string& png);

}  // namespace spokelab
