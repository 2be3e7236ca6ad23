// Compares two runs plan by plan, as baselines are compared (baseline_compare.h): a rank test over
// the repeats of each plan that both have timed. A difference that the test does not confirm is
// reported as "no difference".
#pragma once

#include "engine/profile/baseline/baseline_compare.h"
#include "engine/profile/runs/timed_run.h"

namespace spokelab {

// Leaves out plans that only one run timed and plans without repeats (from files of earlier
// versions). Throws Error where scans or directions of the two runs differ.
BaselineComparison compareRuns(const TimedRun& before, const TimedRun& after);

}  // namespace spokelab
