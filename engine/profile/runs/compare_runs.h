// Two runs compared plan by plan, as baselines are (baseline_compare.h): a rank test over the
// repeats of each plan that both have timed, with its p value; what the test cannot tell apart is
// "no difference".
#pragma once

#include "engine/profile/baseline/baseline_compare.h"
#include "engine/profile/runs/timed_run.h"

namespace spokelab {

// Plans that only one of them timed, and plans without repeats (of files of earlier versions), are
// not compared. Throws Error where they are of other scans or workloads' directions.
BaselineComparison compareRuns(const TimedRun& before, const TimedRun& after);

}  // namespace spokelab
