// multicore-nufft's studies beside plain sequential code: the share of each stage before and after
// (Figs 3 and 8), the two parts of the convolution (Fig. 7), the gain of vectors (Fig. 13), and all
// together (Table II). The plain code is PlainNufft with a linear table, as in the paper.
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studySequentialStages(StudyRun& run);
void studyParallelStages(StudyRun& run);
void studyConvolutionParts(StudyRun& run);
void studyVectors(StudyRun& run);
void studyOverall(StudyRun& run);

}  // namespace spokelab
