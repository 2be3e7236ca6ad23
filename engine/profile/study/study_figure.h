// A panel of a study's chart as SVG, by itself: it has no script and embeds no font. Lines are the
// rows' series, bars the quartiles over the repeats, dashes the paper's printed numbers.
#pragma once

#include <string>
#include <vector>

#include "engine/profile/study/study.h"

namespace spokelab {

// The panels' names in the order of the rows.
std::vector<std::string> studyPanels(const StudyResult& result);

// Width 720. Empty where the panel has no point that the axes can show.
std::string studyFigure(const StudyResult& result, const std::string& panel);

}  // namespace spokelab
