// A study, or several, as one HTML page: it contains its figures as SVG, runs no script and fetches
// nothing. Figures of the page may also be named, for programs that draw them themselves (PDF).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/profile/results/replay_comparison.h"
#include "engine/profile/study/study.h"

namespace spokelab {

struct StudyPageParts {
  std::string body;                            // HTML, with [[figure-1]] where a figure goes
  std::map<std::string, std::string> figures;  // by name: SVG
};

// Draws the parts as pages of a PDF, of which it gives the bytes.
using DrawStudyPdf = std::function<std::string(const StudyPageParts& page, const std::string& title)>;

// origin: provenance.h's, which names machine, version and the command line that repeats the run.
// replay: where the results repeat others; null: they do not.
StudyPageParts studyPageParts(const std::vector<StudyResult>& results, const std::string& title,
                              const nlohmann::json& origin, const ReplayComparison* replay = nullptr);

// The whole page. title: "Study alpha", "Suite papers".
std::string studyPage(const std::vector<StudyResult>& results, const std::string& title,
                      const nlohmann::json& origin, const ReplayComparison* replay = nullptr);

}  // namespace spokelab
