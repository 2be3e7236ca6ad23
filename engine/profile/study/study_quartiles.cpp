#include "engine/profile/study/study_quartiles.h"

#include "engine/core/measure/rank_test.h"

namespace spokelab {
namespace {

constexpr double lower = 0.25, upper = 0.75;

bool hasRepeats(const StudyRow& row) {
  return row.candidate.runs.size() > 1 && row.candidate.timed();
}

// A quantile of the times over their median. y belongs to the median.
double shareAt(const StudyRow& row, double quantile, double extraSeconds) {
  return (quantileOf(row.candidate.runs, quantile) + extraSeconds) /
         (row.candidate.timings.total + extraSeconds);
}

}  // namespace

bool isTimedOnce(const Candidate& candidate) {
  return candidate.timed() && candidate.repeats == 1;
}

void addTimeQuartiles(StudyRow& row, double extraSeconds) {
  if (!hasRepeats(row)) return;
  row.yLow = row.y * shareAt(row, lower, extraSeconds);
  row.yHigh = row.y * shareAt(row, upper, extraSeconds);
}

void addSpeedQuartiles(StudyRow& row) {
  if (!hasRepeats(row)) return;
  row.yLow = row.y / shareAt(row, upper, 0);
  row.yHigh = row.y / shareAt(row, lower, 0);
}

}  // namespace spokelab
