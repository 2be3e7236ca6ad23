// The rows of gnufftw's sparse matrices (Fig. 11, Table III): Gamma has one for each point, the
// grid cells that it touches; its transpose one for each cell of the grid, the points that touch
// it. Counted, without making the matrices.
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyRowLengths(StudyRun& run);
void studyRowDeviations(StudyRun& run);

}  // namespace spokelab
