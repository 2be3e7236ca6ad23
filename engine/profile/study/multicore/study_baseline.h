// multicore-nufft's studies beside plain sequential code: where the time goes before and after
// (Figs 3 and 8), the two parts of the convolution (Fig. 7), what vectors gain (Fig. 13), and all
// together (Table II). The plain code is PlainNufft with a linear table, as there.
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studySequentialStages(StudyRun& run);
void studyParallelStages(StudyRun& run);
void studyConvolutionParts(StudyRun& run);
void studyVectors(StudyRun& run);
void studyOverall(StudyRun& run);

}  // namespace spokelab
