// The studies of multicore-nufft. Each names what it takes from the paper, and what differs.
#pragma once

#include <vector>

#include "engine/profile/study/study_definition.h"

namespace spokelab {

std::vector<StudyDefinition> multicoreStudies();

}  // namespace spokelab
