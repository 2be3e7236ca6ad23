// gnufftw's studies of tuned plans: time over the oversampling ratio (Figs 6 and 14), the best one
// (Fig. 7), tuned against fixed ones (Fig. 8), and all implementations (Figs 9, 10, 15 to 22). Each
// variant is one call of tune() with some choices fixed.
//
// Speed-ups have one baseline for each case and operation: the CPU's `blocked`, tuned, on all
// threads. Toeplitz operators are variants of forward and adjoint together.
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyAlpha(StudyRun& run);
void studyBestAlpha(StudyRun& run);
void studyFixedAlpha(StudyRun& run);
void studyImplementations(StudyRun& run);

std::vector<std::string> tunedMethods();           // of Figs 6, 7 and 14
std::vector<std::string> comparedMethods();        // of Fig. 8: with the baseline
std::vector<std::string> implementationMethods();  // with the Toeplitz operators

}  // namespace spokelab
