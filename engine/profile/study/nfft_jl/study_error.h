// nfft-jl's errors over the kernel's half width: of each precomputation (Fig. 1), of libraries and
// of windows with 2m and 2m + 2 points (Fig. 2).
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyWindowError(StudyRun& run);
void studyLibraryErrors(StudyRun& run);
std::vector<std::string> libraryWindows();  // beside those of plug-ins

}  // namespace spokelab
