// multicore-nufft's comparisons with other programs, at their own problems: Shu et al. on CPUs
// (Table IV) and Nam et al. on a GPU (Table V).
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyAgainstCpus(StudyRun& run);
void studyAgainstGpu(StudyRun& run);

}  // namespace spokelab
