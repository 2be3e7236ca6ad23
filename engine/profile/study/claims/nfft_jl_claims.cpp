#include <algorithm>
#include <cmath>

#include "engine/profile/study/claims/claim_votes.h"
#include "engine/profile/study/claims/paper_claims.h"

namespace spokelab {
namespace {

constexpr double saturationHalfWidth = 8;

bool isBelowSaturation(const StudyRow& row) {
  return row.x < saturationHalfWidth;
}

ClaimResult errorsAreAlike(const Rows& rows) {
  constexpr double factor = 3;
  std::map<std::pair<std::string, double>, std::pair<double, double>> extremes;
  for (const StudyRow& row : rows) {
    if (!row.refused.empty() || !isBelowSaturation(row)) continue;
    const auto [place, isNew] = extremes.try_emplace({row.panel, row.x}, row.y, row.y);
    place->second.first = std::min(place->second.first, row.y);
    place->second.second = std::max(place->second.second, row.y);
  }
  Votes votes;
  for (const auto& [place, range] : extremes) votes.add(range.second <= factor * range.first);
  return votes.result();
}

ClaimResult errorsSaturate(const Rows& rows) {
  constexpr double rounding = 1e-12;
  Votes votes;
  for (const StudyRow& row : rows)
    if (row.refused.empty() && row.x >= saturationHalfWidth) votes.add(row.y < rounding);
  return votes.result();
}

// The width of a plan is part of its case here.
std::string widthKey(const StudyRow& row) {
  return caseKey(row) + " W " + std::to_string(std::lround(row.candidate.options.width));
}

ClaimResult tensorIsFaster(const Rows& rows) {
  const auto groups = grouped(
      rows, [](const StudyRow& row) { return row.dims < 3 && !row.direction.empty(); }, widthKey);
  return fasterIn(groups, variantIs("tensor"), variantIs("polynomial"));
}

// Votes for "an inner block size is fastest": neither the smallest blocks nor one block for the
// grid.
ClaimResult blocksHaveAnOptimum(const Rows& rows) {
  std::map<std::string, std::vector<std::pair<double, double>>> lines;
  for (const StudyRow& row : rows)
    if (row.refused.empty() && row.variant.starts_with("blocks"))
      lines[row.panel + row.series].push_back({row.x, row.y});
  Votes votes;
  for (auto& [line, places] : lines) {
    if (places.size() < 3) continue;
    std::sort(places.begin(), places.end());
    const auto best = std::min_element(places.begin(), places.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    votes.add(best != places.begin() && best + 1 != places.end());
  }
  return votes.result();
}

}  // namespace

std::vector<Claim> nfftJlClaims() {
  return {{"window-error", "The error falls exponentially with m",
           [](const Rows& rows) { return fallsWithX(rows, isBelowSaturation); }},
          {"window-error", "All precomputations err alike, up to a factor of 3", errorsAreAlike},
          {"window-error", "From m = 8 on rounding is all", errorsSaturate},
          {"single-thread", "Tensor is faster than polynomials in 1-D and 2-D", tensorIsFaster},
          {"blocks", "The best block is neither the smallest nor the whole grid", blocksHaveAnOptimum},
          {"threads", "Time falls with threads", [](const Rows& rows) {
             return fallsWithX(rows, [](const StudyRow& row) { return row.panel.ends_with("time"); });
           }}};
}

}  // namespace spokelab
