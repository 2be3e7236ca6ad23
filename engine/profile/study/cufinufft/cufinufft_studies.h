// The studies of cufinufft: what each takes from the paper, and what is not as there.
#pragma once

#include <vector>

#include "engine/profile/study/study_definition.h"

namespace spokelab {

std::vector<StudyDefinition> cufinufftStudies();

}  // namespace spokelab
