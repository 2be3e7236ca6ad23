// Quartiles of a study's values over the repeats of their plans.
#pragma once

#include "engine/profile/study/study.h"

namespace spokelab {

bool isTimedOnce(const Candidate& candidate);
// Adds quartiles of a y proportional to an execution's seconds plus extra, if repeats are known.
void addTimeQuartiles(StudyRow& row, double extraSeconds = 0);
// Adds quartiles of a y that is proportional to executions a second.
void addSpeedQuartiles(StudyRow& row);

}  // namespace spokelab
