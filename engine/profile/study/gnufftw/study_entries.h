// gnufftw's interpolation time over the non-zero entries M W^d of its sparse matrices, without and
// with full precomputation (Figs 12 and 13), and the slopes of its linear fits (Table IV).
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyEntries(StudyRun& run);
void studyEntrySlopes(StudyRun& run);

std::vector<std::string> entryMethods();

// The least squares line y = offset + slope x and its R^2; all 0 if all x are equal.
struct LinearFit {
  double slope = 0, offset = 0, rSquared = 0;
};
LinearFit fitLine(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace spokelab
