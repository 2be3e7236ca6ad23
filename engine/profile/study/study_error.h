// Errors over the kernel's width: measured for each precomputation (nfft-jl Fig. 1), and the
// aliasing amplitude that the error model gives for each oversampling ratio (gnufftw Fig. 3).
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyWindowError(StudyRun& run);
void studyAliasing(StudyRun& run);

}  // namespace spokelab
