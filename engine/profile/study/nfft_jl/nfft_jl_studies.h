// Lists the studies of nfft-jl, each with its agreements with the paper and its differences. The
// guide page studies.md shows these texts: change both.
#pragma once

#include <vector>

#include "engine/profile/study/study_definition.h"

namespace spokelab {

std::vector<StudyDefinition> nfftJlStudies();

}  // namespace spokelab
