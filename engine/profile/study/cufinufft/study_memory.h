// cufinufft's study of memory ([cufinufft] Table I).
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

// Bytes of a plan, and the share of spreading, of each method.
void studyMemory(StudyRun& run);

}  // namespace spokelab
