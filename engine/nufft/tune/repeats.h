// What the repeats of candidates say: how far apart they lie, and whether one is faster than another.
#pragma once

#include <vector>

#include "engine/core/measure/rank_test.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Of a candidate's cost, in seconds. Its set-up is the same in all: the repeats are of executions.
struct CostQuartiles {
  double low = 0, median = 0, high = 0;
};
CostQuartiles costQuartiles(const Candidate& candidate);

// Timed once: nobody knows how far another repeat would be off.
inline bool isSingleRepeat(const Candidate& candidate) {
  return candidate.timed() && candidate.repeats < 2;
}

// Costs of the candidate over those of the other, by rank_test.h at 95 %: high is infinite where
// the repeats are too few for any verdict.
RankTest costRatio(const Candidate& candidate, const Candidate& other);

// Whether the repeats show no difference from the winner. Where they are too few to show any,
// medians that are closer than sweeps aim at (maxSpread) tie.
bool tiesWith(const Candidate& candidate, const Candidate& winner);

// The largest share by which a timed candidate among `others` may be faster than the winner, by
// the intervals of their ratios; negative: not known, as the repeats of one that is near are too few.
double mayBeSlowerBy(const Candidate& winner, const std::vector<const Candidate*>& others);

// Quartiles of a sweep's repeats should not lie farther apart, relative to the median.
inline constexpr double maxSpread = 0.05;
// A candidate whose cost is so many times the lowest cannot win, however few its repeats.
inline constexpr double maxContenderRatio = 1.5;

// Puts a candidate that was timed again in the place that it had, else at the end.
void addOrRefine(std::vector<Candidate>& candidates, const Candidate& timed);

}  // namespace spokelab
