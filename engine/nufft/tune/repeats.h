// Compares candidates by their repeated timings: the spread of one, and whether another one is
// faster beyond chance.
#pragma once

#include <vector>

#include "engine/core/measure/rank_test.h"
#include "engine/nufft/tune/result/candidate.h"

namespace spokelab {

// Quartiles of a candidate's cost, s. Only executions repeat: set-up adds the same to each.
struct CostQuartiles {
  double low = 0, median = 0, high = 0;
};
CostQuartiles costQuartiles(const Candidate& candidate);

// A single repeat gives no spread.
inline bool isSingleRepeat(const Candidate& candidate) {
  return candidate.timed() && candidate.repeats < 2;
}

// Ratio of costs with its 95 % interval (rank_test.h); `high` is infinite with too few repeats.
RankTest costRatio(const Candidate& numerator, const Candidate& denominator);

// True if the repeats show no difference from the winner. Too few repeats for the test: true if the
// candidate costs at most maxSpread more.
bool tiesWith(const Candidate& candidate, const Candidate& winner);

// The share by which the winner may be slower than the fastest of `others`, which are timed: the
// largest that the intervals of their ratios allow, 0.1 for a tenth. 0: it is slower than none. -1:
// unknown, because a close candidate has too few repeats.
double mayBeSlowerBy(const Candidate& winner, const std::vector<const Candidate*>& others);

// A sweep repeats until the quartiles are this close, relative to the median.
inline constexpr double maxSpread = 0.05;
// A candidate that costs this multiple of the lowest cannot win, even with few repeats.
inline constexpr double maxContenderRatio = 1.5;

// Replaces the timed candidate of the same plan by `timed`; appends `timed` if there is none.
void addOrRefine(std::vector<Candidate>& candidates, const Candidate& timed);

}  // namespace spokelab
