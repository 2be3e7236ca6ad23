// multicore-nufft's studies over widths and threads: scaling of both convolutions (Fig. 10), what
// setting points takes (Fig. 14), and samples a second (Table III). Its W is a radius: 2, 4, 6, 8
// are 4, 8, 12, 16 here.
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyScaling(StudyRun& run);
void studyPreprocessing(StudyRun& run);
void studyRates(StudyRun& run);

}  // namespace spokelab
