// Compares candidates by their repeats: their spread, and if one is faster beyond chance.
#pragma once

#include <vector>

#include "engine/core/measure/rank_test.h"
#include "engine/nufft/tune/result/candidate.h"

namespace spokelab {

// Quartiles of a candidate's cost, in seconds. Only executions are repeated, so set-up adds the
// same to each.
struct CostQuartiles {
  double low = 0, median = 0, high = 0;
};
CostQuartiles costQuartiles(const Candidate& candidate);

// A single repeat gives no spread.
inline bool isSingleRepeat(const Candidate& candidate) {
  return candidate.timed() && candidate.repeats < 2;
}

// Ratio of the candidate's cost to the other's, by rank_test.h at 95 %. `high` is infinite where
// the repeats are too few for a verdict.
RankTest costRatio(const Candidate& candidate, const Candidate& other);

// True if the repeats show no difference from the winner. With too few repeats, medians closer than
// maxSpread tie.
bool tiesWith(const Candidate& candidate, const Candidate& winner);

// The largest share by which a timed candidate among `others` may be faster than the winner, by the
// intervals of their ratios. Negative: unknown, because a close candidate has too few repeats.
double mayBeSlowerBy(const Candidate& winner, const std::vector<const Candidate*>& others);

// A sweep repeats until the quartiles are this close, relative to the median.
inline constexpr double maxSpread = 0.05;
// A candidate that costs this multiple of the lowest cannot win, even with few repeats.
inline constexpr double maxContenderRatio = 1.5;

// Puts a candidate that was timed again in the place that it had, else at the end.
void addOrRefine(std::vector<Candidate>& candidates, const Candidate& timed);

}  // namespace spokelab
