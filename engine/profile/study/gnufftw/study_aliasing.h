// gnufftw's Fig. 3: the largest aliasing amplitude (eq. 8) over kernel width and oversampling.
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyAliasing(StudyRun& run);

}  // namespace spokelab
