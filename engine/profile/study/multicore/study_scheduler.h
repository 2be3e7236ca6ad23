// multicore-nufft's studies of its scheduler: what each part gains (Fig. 9), fixed and variable
// partitions (Fig. 11), private copies and the priority queue (Fig. 12). Its W = 4 is a radius: 8
// here; alpha 2, Kaiser-Bessel, single precision. Its own data sets, of Table I where nothing else
// is asked for.
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyGains(StudyRun& run);
void studyPartitions(StudyRun& run);
void studyPrivatisation(StudyRun& run);

}  // namespace spokelab
