#include "widgets/profile/charts/run_trace.h"

#include <algorithm>

#include "widgets/profile/runs/profile_data.h"

namespace spokelab {

double RunTrace::longest() const {
  double longest = 0;
  for (const Point& point : points)
    if (point.fastestOfAlpha && point.grid) longest = std::max(longest, point.seconds);
  return longest;
}

RunTrace traceOf(int number, const QString& title, const TuneResult& timed, double accuracy) {
  RunTrace trace;
  trace.number = number;
  trace.title = title;
  ProfileData data;
  data.candidates = timed.candidates;
  data.accuracy = accuracy;
  data.best = timed.best;
  const std::vector<int> fastest = fastestForEachAlpha(data);
  for (int i = 0; i < int(data.candidates.size()); ++i) {
    const Candidate& candidate = data.candidates[std::size_t(i)];
    if (!candidate.timed()) continue;
    const CandidatePath path = pathOf(candidate);
    trace.points.push_back({placeAlong(candidate, Along::alpha).value_or(0),
                            placeAlong(candidate, Along::width).value_or(0), candidate.cost(),
                            candidateError(candidate), path.isGrid(),
                            std::find(fastest.begin(), fastest.end(), i) != fastest.end()});
  }
  std::stable_sort(trace.points.begin(), trace.points.end(),
                   [](const RunTrace::Point& a, const RunTrace::Point& b) { return a.alpha < b.alpha; });
  return trace;
}

}  // namespace spokelab
