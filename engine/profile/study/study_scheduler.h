// multicore-nufft's studies: where the time goes before and after (Figs 3, 8), what each part of
// the scheduler gains (Fig. 9), fixed and variable partitions (Fig. 11), private copies and the
// priority queue (Fig. 12). Its W = 4 is a
// radius: 8 here; alpha 2, Kaiser-Bessel, single precision. Its own data sets, of Table I where
// nothing else is asked for.
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studySequentialStages(StudyRun& run);
void studyParallelStages(StudyRun& run);
void studyGains(StudyRun& run);
void studyPartitions(StudyRun& run);
void studyPrivatisation(StudyRun& run);

}  // namespace spokelab
