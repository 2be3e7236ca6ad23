#include <algorithm>

#include "engine/core/text.h"
#include "engine/profile/study/claims/claim_votes.h"
#include "engine/profile/study/claims/paper_claims.h"

namespace spokelab {
namespace {

ClaimResult valuesExceed(const Rows& rows, const RowIs& taken, double bound, bool below = false) {
  Votes votes;
  std::string range;
  double least = 0, most = 0;
  int count = 0;
  for (const StudyRow& row : rows) {
    if (!row.refused.empty() || !taken(row)) continue;
    votes.add(below ? row.y < bound : row.y > bound);
    least = count == 0 ? row.y : std::min(least, row.y);
    most = count++ == 0 ? row.y : std::max(most, row.y);
  }
  ClaimResult result = votes.result();
  if (count > 0) result.evidence += "; " + numberText(least, 3) + " to " + numberText(most, 3);
  return result;
}

// Votes at the largest number of threads of each case.
ClaimResult fasterOnAllThreads(const Rows& rows, const char* faster, const char* slower) {
  double maxThreads = 0;
  for (const StudyRow& row : rows) maxThreads = std::max(maxThreads, row.x);
  const RowIs onAll = [maxThreads](const StudyRow& row) { return row.x == maxThreads; };
  const auto isSeries = [](const char* name) {
    return [name](const StudyRow& row) { return row.series == name; };
  };
  if (maxThreads < 2) return Votes().result();
  return fasterIn(grouped(rows, onAll), isSeries(faster), isSeries(slower));
}

bool isConvolutionStage(const StudyRow& row) {
  return row.series == "spread" || row.series == "interpolate";
}

}  // namespace

std::vector<Claim> multicoreClaims() {
  constexpr double half = 50;  // percent
  return {
      {"sequential-stages", "The convolution takes more than half of the sequential time",
       [](const Rows& rows) { return valuesExceed(rows, isConvolutionStage, half); }},
      {"convolution-parts", "The share of kernel values falls with the width",
       [](const Rows& rows) { return fallsWithX(rows, variantIs("part 1")); }},
      {"gains", "All parts together are faster than plain code",
       [](const Rows& rows) { return valuesExceed(rows, variantIs("+ private"), 1); }},
      {"scaling", "Speed grows with threads", [](const Rows& rows) { return fallsWithX(rows, {}, true); }},
      {"partitions", "Variable partitions are faster than fixed ones",
       [](const Rows& rows) { return fasterOnAllThreads(rows, "variable", "fixed"); }},
      {"privatisation", "Private copies and the queue are faster than neither",
       [](const Rows& rows) { return fasterOnAllThreads(rows, "private copies and queue", "neither"); }},
      {"vectors", "Vectors are faster than scalar code",
       [](const Rows& rows) { return valuesExceed(rows, variantIs("vectors"), 1); }},
      {"preprocessing", "Pre-processing takes less than an iteration",
       [](const Rows& rows) { return valuesExceed(rows, variantIs("ratio"), 1, true); }},
      {"overall", "The measures that help are faster than plain sequential code",
       [](const Rows& rows) {
         return valuesExceed(
             rows, [](const StudyRow& row) { return row.series == "speed-up" && row.c.size > 0; }, 1);
       }},
      {"rates", "The rate falls with the width", [](const Rows& rows) { return fallsWithX(rows); }}};
}

}  // namespace spokelab
