#include "engine/nufft/tune/repeats.h"

#include <algorithm>
#include <cmath>

namespace spokelab {
namespace {

constexpr double confidence = 0.95;

std::vector<double> costs(const Candidate& candidate) {
  std::vector<double> costs = candidate.runs;
  for (double& cost : costs) cost += candidate.setUp();
  return costs;
}

bool samePlan(const Candidate& a, const Candidate& b) {
  return a.backend == b.backend && a.path == b.path && a.options == b.options;
}

}  // namespace

CostQuartiles costQuartiles(const Candidate& c) {
  if (c.runs.empty()) {  // earlier versions kept the spread only
    const double half = c.spread * c.timings.total / 2;
    return {c.cost() - half, c.cost(), c.cost() + half};
  }
  const std::vector<double> repeatCosts = costs(c);
  return {quantileOf(repeatCosts, 0.25), quantileOf(repeatCosts, 0.5), quantileOf(repeatCosts, 0.75)};
}

RankTest costRatio(const Candidate& numerator, const Candidate& denominator) {
  return compareRepeats(costs(denominator), costs(numerator), confidence);  // after / before
}

bool tiesWith(const Candidate& candidate, const Candidate& winner) {
  if (!candidate.timed() || !winner.timed()) return false;
  const RankTest test = costRatio(candidate, winner);
  if (std::isinf(test.high)) return candidate.cost() <= (1 + maxSpread) * winner.cost();
  return test.p >= 1 - confidence;
}

double mayBeSlowerBy(const Candidate& winner, const std::vector<const Candidate*>& others) {
  double largestShare = 0;
  for (const Candidate* other : others) {
    if (other->cost() > maxContenderRatio * winner.cost()) continue;
    const RankTest test = costRatio(*other, winner);
    if (std::isinf(test.high)) return -1;
    largestShare = std::max(largestShare, 1 / test.low - 1);
  }
  return largestShare;
}

void addOrRefine(std::vector<Candidate>& candidates, const Candidate& timed) {
  const auto place = std::find_if(candidates.begin(), candidates.end(),
                                  [&](const Candidate& c) { return c.timed() && samePlan(c, timed); });
  if (place == candidates.end())
    candidates.push_back(timed);
  else
    *place = timed;
}

}  // namespace spokelab
