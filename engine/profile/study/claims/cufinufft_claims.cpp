#include <algorithm>
#include <functional>

#include "engine/core/text.h"
#include "engine/profile/study/claims/claim_votes.h"
#include "engine/profile/study/claims/paper_claims.h"
#include "engine/profile/study/study_definition.h"

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

using PairVote = std::function<void(Votes&, const StudyRow& random, const StudyRow& clustered)>;

// Executions of one variant in 2-D on random points, each beside the one on clusters.
ClaimResult onClusters(const Rows& rows, const char* variant, const char* direction, const PairVote& vote) {
  const auto taken = [&](const StudyRow& row) {
    return row.refused.empty() && row.variant == variant && row.direction == direction &&
           row.panel.ends_with(", exec");
  };
  Votes votes;
  for (const StudyRow& random : rows) {
    if (!taken(random) || random.c.pattern != "random") continue;
    for (const StudyRow& clustered : rows)
      if (taken(clustered) && clustered.c.pattern == "clustered" && clustered.c.size == random.c.size &&
          clustered.c.accuracy == random.c.accuracy && clustered.c.acceleration == random.c.acceleration)
        vote(votes, random, clustered);
  }
  return votes.result();
}

void voteSlower(Votes& votes, const StudyRow& random, const StudyRow& clustered) {
  voteFaster(votes, random, clustered);
}
void voteSteady(Votes& votes, const StudyRow& random, const StudyRow& clustered) {
  constexpr double steady = 1.5;
  voteWithin(votes, random, clustered, steady);
}
void voteGain(Votes& votes, const StudyRow& random, const StudyRow& clustered) {
  voteFaster(votes, clustered, random);
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
  claims.push_back({"modes", "SM spreads clusters in less than 1.5 times the time of random points",
                    [](const Rows& rows) { return onClusters(rows, "cuda sm", adjointText, voteSteady); }});
  claims.push_back({"modes", "GM-sort spreads clusters more slowly than random points", [](const Rows& rows) {
                      return onClusters(rows, "cuda gm-sort", adjointText, voteSlower);
                    }});
  claims.push_back({"modes", "GM-sort interpolates clusters faster than random points", [](const Rows& rows) {
                      return onClusters(rows, "cuda gm-sort", forwardText, voteGain);
                    }});
  claims.push_back({"memory", "Spreading takes more than 90 % of type 1", spreadingDominates});
  claims.push_back({"memory", "SM is faster than GM-sort",
                    [](const Rows& rows) { return isFaster(rows, "random", "cuda sm", "cuda gm-sort"); }});
  claims.push_back({"weak-scaling", "Scaling is ideal up to one rank a GPU (90 % and more)",
                    [](const Rows& rows) { return scalesIdeally(rows, false); }});
  claims.push_back({"weak-scaling", "It is lost where ranks share a GPU",
                    [](const Rows& rows) { return scalesIdeally(rows, true); }});
  return claims;
}

std::vector<PrintedNumber> cufinufftNumbers() {
  // Table I: seconds of an execution, MB, and percent of spreading.
  const struct {
    const char *accuracy, *series;
    double size, seconds, megabytes, share;
  } tableOne[] = {{"0.01", "GM-sort", 32, 0.0009, 381, 94.7},  {"0.01", "SM", 32, 0.0005, 381, 90.3},
                  {"0.01", "GM-sort", 256, 0.33, 6139, 95.7},  {"0.01", "SM", 256, 0.18, 6141, 91.9},
                  {"1e-05", "GM-sort", 32, 0.0041, 381, 98.8}, {"1e-05", "SM", 32, 0.0028, 381, 98.5},
                  {"1e-05", "GM-sort", 256, 1.7, 6139, 99.2},  {"1e-05", "SM", 256, 0.87, 6141, 98.4}};
  std::vector<PrintedNumber> numbers;
  for (const auto& row : tableOne) {
    const std::string place = std::string(", accuracy ") + row.accuracy,
                      series = row.series + std::string(", printed");
    numbers.push_back({"memory", "time / s" + place, series, row.size, row.seconds});
    numbers.push_back({"memory", "memory of the plan / MB" + place, series, row.size, row.megabytes});
    numbers.push_back({"memory", "share of spreading / %" + place, series, row.size, row.share});
  }
  // Table II: seconds by ranks, one a GPU or 40 threads of a CPU each.
  const struct {
    const char *panel, *series;
    double ranks, seconds;
  } tableTwo[] = {{"type 2, N 41", "CPU", 1, 0.11},       {"type 2, N 41", "CPU", 8, 0.95},
                  {"type 2, N 41", "Cori GPU", 1, 0.075}, {"type 2, N 41", "Cori GPU", 8, 0.078},
                  {"type 2, N 41", "Summit", 1, 0.076},   {"type 2, N 41", "Summit", 6, 0.11},
                  {"type 1, N 81", "CPU", 1, 1.62},       {"type 1, N 81", "CPU", 8, 9.97},
                  {"type 1, N 81", "Cori GPU", 1, 1.89},  {"type 1, N 81", "Cori GPU", 8, 1.94},
                  {"type 1, N 81", "Summit", 1, 1.76},    {"type 1, N 81", "Summit", 6, 1.76}};
  for (const auto& row : tableTwo)
    numbers.push_back({"weak-scaling", row.panel + std::string(", time"),
                       row.series + std::string(", printed"), row.ranks, row.seconds});
  return numbers;
}

}  // namespace spokelab
