// nfft-jl's studies of resampling: block sizes (Fig. 3), precomputations on one thread (Fig. 4) and
// on several (Fig. 5).
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyBlocks(StudyRun& run);
void studySingleThread(StudyRun& run);
void studyThreads(StudyRun& run);

}  // namespace spokelab
