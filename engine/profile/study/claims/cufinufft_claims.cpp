#include <algorithm>

#include "engine/core/text.h"
#include "engine/profile/study/claims/claim_votes.h"
#include "engine/profile/study/claims/paper_claims.h"

namespace spokelab {
namespace {

RowIs of(const char* pattern) {
  return [=](const StudyRow& row) { return row.c.pattern == pattern; };
}
RowIs named(const char* variant) {
  return [=](const StudyRow& row) { return row.variant == variant; };
}

ClaimResult isFaster(const Rows& rows, const char* pattern, const char* faster, const char* slower) {
  return fasterIn(grouped(rows, of(pattern)), named(faster), named(slower));
}

ClaimResult timeGrowsWithAccuracy(const Rows& rows) {
  return fallsWithX(rows, [](const StudyRow& row) { return row.panel.ends_with(", exec"); });
}

ClaimResult spreadingDominates(const Rows& rows) {
  constexpr double least = 90;  // percent
  Votes votes;
  for (const StudyRow& row : rows)
    if (row.panel.starts_with("share") && (row.variant == "cuda sm" || row.variant == "cuda gm-sort"))
      votes.add(row.y >= least);
  return votes.result();
}

// Ranks of one panel's efficiency; `shared`: more than there are GPUs.
ClaimResult scalesIdeally(const Rows& rows, bool shared) {
  constexpr double ideal = 0.9;
  Votes votes;
  std::string numbers;
  for (const StudyRow& row : rows) {
    if (!row.panel.ends_with("efficiency") || row.candidate.backend != gpuBackend || row.x <= 1) continue;
    const bool shares = row.variant.find(" on " + countText(std::int64_t(row.x), "GPU")) == std::string::npos;
    if (shares != shared) continue;
    votes.add(shared ? row.y < ideal : row.y >= ideal);
    numbers += (numbers.empty() ? "" : ", ") + row.variant + ' ' + numberText(row.y, 2);
  }
  ClaimResult result = votes.result();
  if (!numbers.empty()) result.evidence = numbers;
  return result;
}

}  // namespace

std::vector<Claim> cufinufftClaims() {
  std::vector<Claim> claims;
  for (const char* study : {"spreading", "spreading-2d"}) {
    claims.push_back({study, "SM is faster than GM-sort on random points",
                      [](const Rows& rows) { return isFaster(rows, "random", "cuda sm", "cuda gm-sort"); }});
    claims.push_back({study, "SM is faster than GM on clusters",
                      [](const Rows& rows) { return isFaster(rows, "clustered", "cuda sm", "cuda gm"); }});
  }
  for (const char* study : {"interpolation", "interpolation-2d"})
    claims.push_back({study, "GM-sort is faster than GM",
                      [](const Rows& rows) { return isFaster(rows, "random", "cuda gm-sort", "cuda gm"); }});
  for (const char* study : {"errors", "errors-double"})
    claims.push_back({study, "Time grows as the error falls", timeGrowsWithAccuracy});
  claims.push_back({"memory", "Spreading takes more than 90 % of type 1", spreadingDominates});
  claims.push_back({"memory", "SM is faster than GM-sort",
                    [](const Rows& rows) { return isFaster(rows, "random", "cuda sm", "cuda gm-sort"); }});
  claims.push_back({"weak-scaling", "Scaling is ideal up to one rank a GPU (90 % and more)",
                    [](const Rows& rows) { return scalesIdeally(rows, false); }});
  claims.push_back({"weak-scaling", "It is lost where ranks share a GPU",
                    [](const Rows& rows) { return scalesIdeally(rows, true); }});
  return claims;
}

}  // namespace spokelab
