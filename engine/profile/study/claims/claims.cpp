#include "engine/profile/study/claims/claims.h"

#include <algorithm>
#include <array>
#include <set>

#include "engine/core/text.h"
#include "engine/profile/study/claims/paper_claims.h"

namespace spokelab {

std::string_view claimVerdictName(ClaimVerdict verdict) {
  constexpr std::array<std::string_view, 3> names{"holds", "does not hold", "cannot tell"};
  return names[std::size_t(verdict)];
}

const std::vector<Claim>& claims() {
  static const std::vector<Claim> list = [] {
    std::vector<Claim> all;
    for (const auto& paper : {gnufftwClaims(), cufinufftClaims(), nfftJlClaims(), multicoreClaims()})
      all.insert(all.end(), paper.begin(), paper.end());
    return all;
  }();
  return list;
}

std::vector<ClaimResult> checkClaims(const StudyResult& result) {
  std::vector<ClaimResult> results;
  for (const Claim& claim : claims()) {
    if (claim.study != result.request.study) continue;
    ClaimResult one = claim.check(result.rows);
    one.study = claim.study;
    one.place = result.source;
    one.sentence = claim.sentence;
    results.push_back(std::move(one));
  }
  return results;
}

std::vector<PrintedNumber> printedNumbers(const StudyResult& result) {
  std::set<std::string> panels;
  for (const StudyRow& row : result.rows) panels.insert(row.panel);
  std::vector<PrintedNumber> numbers;
  for (const auto& paper : {gnufftwNumbers(), cufinufftNumbers(), multicoreNumbers()})
    for (PrintedNumber number : paper) {
      if (number.study != result.request.study) continue;
      const std::string printed = number.panel;
      for (const std::string& panel : panels)
        if (panel == printed || (number.anyThreads && panel.starts_with(printed + ", "))) {
          number.panel = panel;
          numbers.push_back(number);
        }
    }
  return numbers;
}

std::string verdictPage(const std::vector<ClaimResult>& results, const std::string& machine) {
  std::array<int, 3> counts{};
  for (const ClaimResult& r : results) ++counts[std::size_t(r.verdict)];
  std::string text = "# Spokelab: the papers' claims\n\nOn " + machine + ": ";
  for (const ClaimVerdict verdict : {ClaimVerdict::holds, ClaimVerdict::fails, ClaimVerdict::unclear})
    text += (verdict == ClaimVerdict::holds ? "" : ", ") + std::string(claimVerdictName(verdict)) + " " +
            std::to_string(counts[std::size_t(verdict)]);
  text += ".\n\n| place | claim | verdict | evidence | command |\n|---|---|---|---|---|\n";
  for (const ClaimResult& r : results)
    text += "| " + r.place + " | " + r.sentence + " | " + std::string(claimVerdictName(r.verdict)) + " | " +
            r.evidence + " | `study " + r.study + "` |\n";
  return text;
}

}  // namespace spokelab
