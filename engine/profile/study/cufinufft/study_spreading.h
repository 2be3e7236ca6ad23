// cufinufft's comparisons of methods at sigma = 2, w = 6 (Figs 2 and 3): spreading and
// interpolation alone, without and with what new points cost.
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studySpreading(StudyRun& run);  // 3-D
void studySpreading2d(StudyRun& run);
void studyInterpolation(StudyRun& run);  // 3-D
void studyInterpolation2d(StudyRun& run);

std::vector<std::string> spreadingMethods();
std::vector<std::string> interpolationMethods();

}  // namespace spokelab
