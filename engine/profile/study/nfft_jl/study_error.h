// nfft-jl's Fig. 1: the largest error of each precomputation over the kernel's half width.
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyWindowError(StudyRun& run);

}  // namespace spokelab
