// The papers' claims as checks of a study's rows: their sentences as tests by rank over the
// repeats, and their printed numbers. A verdict is about this machine, sizes and repeats.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/profile/study/study.h"

namespace spokelab {

// unclear: too few repeats, or none of the cases that it is about.
enum class ClaimVerdict { holds, fails, unclear };
std::string_view claimVerdictName(ClaimVerdict);  // "holds", "does not hold", "cannot tell"

struct ClaimResult {
  std::string study, place;  // the study's name; the paper's figure or table
  std::string sentence;
  ClaimVerdict verdict = ClaimVerdict::unclear;
  std::string evidence;  // what was counted or measured
};

struct Claim {
  std::string study, sentence;
  std::function<ClaimResult(const std::vector<StudyRow>&)> check;  // fills in verdict and evidence
};

const std::vector<Claim>& claims();
std::vector<ClaimResult> checkClaims(const StudyResult& result);

// A number that the paper prints, at its place in the study's chart.
struct PrintedNumber {
  std::string study, panel, series;
  double x = 0, y = 0;
  bool anyThreads = false;  // the study's panels have the number of threads behind this text
};
// The printed numbers of all panels for which the result has rows.
std::vector<PrintedNumber> printedNumbers(const StudyResult& result);

// One page: a table of the verdicts, by paper, with the counts before it. Markdown.
std::string verdictPage(const std::vector<ClaimResult>& results, const std::string& machine);

}  // namespace spokelab
