// cufinufft's whole transforms at sigma = 2: time over the error that is measured, in single (Figs
// 4 and 5) and double precision (Fig. 7), and over the number of modes in 2-D (Fig. 6).
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyErrors(StudyRun& run);
void studyErrorsDouble(StudyRun& run);
void studyModes(StudyRun& run);

std::vector<std::string> transformMethods();

}  // namespace spokelab
