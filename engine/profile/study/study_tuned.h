// Studies in which every implementation is tuned on its own: every variant is one call of tune()
// with some choices fixed.
// Their patterns, sizes, accelerations and accuracies are gone through one by one.
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyAlpha(StudyRun& run);
void studyBestAlpha(StudyRun& run);
void studyFixedAlpha(StudyRun& run);
void studyImplementations(StudyRun& run);
void studySpreading(StudyRun& run);
void studyInterpolation(StudyRun& run);

}  // namespace spokelab
