#include "engine/profile/study/claims/claim_votes.h"

#include <algorithm>
#include <set>

#include "engine/core/measure/rank_test.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr double confidence = 0.95, minHolding = 0.9, minFailing = 0.5, minDecided = 0.5, minTau = 0.5;

const StudyRow* fastestOf(const std::vector<const StudyRow*>& rows, const RowIs& is) {
  const StudyRow* best = nullptr;
  for (const StudyRow* row : rows)
    if (is(*row) && row->candidate.timed() &&
        (!best || row->candidate.timings.total < best->candidate.timings.total))
      best = row;
  return best;
}

}  // namespace

std::string caseKey(const StudyRow& row) {
  return row.c.pattern + ' ' + std::to_string(row.c.size) + " R " + numberText(row.c.acceleration) + ' ' +
         numberText(row.c.accuracy) + ' ' + row.direction + ' ' + std::to_string(row.dims);
}

RowGroups grouped(const Rows& rows, const RowIs& taken,
                  const std::function<std::string(const StudyRow&)>& key) {
  RowGroups groups;
  std::set<std::pair<std::string, std::string>> seen;
  for (const StudyRow& row : rows) {
    if (!row.refused.empty() || row.c.size == 0 || (taken && !taken(row))) continue;
    const std::string group = key(row);
    if (seen.insert({group, row.variant}).second) groups[group].push_back(&row);
  }
  return groups;
}

RowGroups grouped(const Rows& rows, const RowIs& taken) {
  return grouped(rows, taken, caseKey);
}

ClaimResult Votes::result() const {
  ClaimResult result;
  const int decided = holds_ + fails_, all = decided + unclear_;
  if (all == 0) {
    result.evidence = "no such case was run";
    return result;
  }
  if (decided > 0 && decided >= minDecided * all)
    result.verdict = holds_ >= minHolding * decided   ? ClaimVerdict::holds
                     : fails_ >= minFailing * decided ? ClaimVerdict::fails
                                                      : ClaimVerdict::unclear;
  result.evidence = "holds in " + std::to_string(holds_) + " of " + countText(all, "case") + ", not in " +
                    std::to_string(fails_);
  if (!ratios_.empty()) {
    const auto [least, most] = std::minmax_element(ratios_.begin(), ratios_.end());
    constexpr int digits = 3;
    result.evidence += "; times differ by " + numberText(medianOf(ratios_), digits) + " (" +
                       numberText(*least, digits) + " to " + numberText(*most, digits) + ")";
  }
  return result;
}

void voteFaster(Votes& votes, const StudyRow& a, const StudyRow& b) {
  if (a.candidate.runs.empty() || b.candidate.runs.empty()) return votes.add(ClaimVerdict::unclear);
  const RankTest test = compareRepeats(a.candidate.runs, b.candidate.runs, confidence);
  votes.addRatio(test.ratio);
  votes.add(test.low > 1                     ? ClaimVerdict::holds
            : test.high > 0 && test.high < 1 ? ClaimVerdict::fails
                                             : ClaimVerdict::unclear);
}

void voteWithin(Votes& votes, const StudyRow& a, const StudyRow& b, double bound) {
  if (a.candidate.runs.empty() || b.candidate.runs.empty()) return votes.add(ClaimVerdict::unclear);
  const RankTest test = compareRepeats(a.candidate.runs, b.candidate.runs, confidence);
  votes.addRatio(test.ratio);
  votes.add(test.high > 0 && test.high < bound ? ClaimVerdict::holds
            : test.low > bound                 ? ClaimVerdict::fails
                                               : ClaimVerdict::unclear);
}

void voteBelow(Votes& votes, const StudyRow& row, double bound, bool above) {
  const bool isKnown = row.yHigh > 0;
  const bool low = (isKnown ? row.yLow : row.y) < bound, high = (isKnown ? row.yHigh : row.y) < bound;
  if (low != high) return votes.add(ClaimVerdict::unclear);
  votes.add(low != above);
}

ClaimResult fasterIn(const RowGroups& groups, const RowIs& faster, const RowIs& slower) {
  Votes votes;
  for (const auto& [key, rows] : groups) {
    const StudyRow *a = fastestOf(rows, faster), *b = fastestOf(rows, slower);
    if (a && b) voteFaster(votes, *a, *b);
  }
  return votes.result();
}

ClaimResult fallsWithX(const Rows& rows, const RowIs& taken, bool rises) {
  std::map<std::string, std::vector<std::pair<double, double>>> lines;
  for (const StudyRow& row : rows)
    if (row.refused.empty() && !row.panel.empty() && (!taken || taken(row)))
      lines[row.panel + ": " + row.series].push_back({row.x, row.y});
  Votes votes;
  for (const auto& [name, places] : lines) {
    int pairs = 0, falling = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const double dx = places[i].first - places[j].first, dy = places[i].second - places[j].second;
        if (dx == 0 || dy == 0) continue;
        ++pairs;
        falling += (dx > 0) == (dy < 0) ? 1 : -1;
      }
    if (pairs == 0) continue;
    const double tau = (rises ? -1.0 : 1.0) * falling / pairs;
    votes.add(tau > minTau    ? ClaimVerdict::holds
              : tau < -minTau ? ClaimVerdict::fails
                              : ClaimVerdict::unclear);
  }
  return votes.result();
}

RowIs variantIs(const std::string& start) {
  return [start](const StudyRow& row) { return row.variant.starts_with(start); };
}
RowIs variantHas(const std::string& part) {
  return [part](const StudyRow& row) { return row.variant.find(part) != std::string::npos; };
}

}  // namespace spokelab
