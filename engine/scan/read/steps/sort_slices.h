// Slices in the order of their positions. Slices are measured in any order (first the even ones,
// then the odd ones, as a rule) and counted in that order; images, files and views follow the
// position.
#pragma once

#include <vector>

#include "engine/scan/read/steps/group_frames.h"

namespace spokelab {

// Makes slices of shots with one slice counter at several places (decision slice-places).
void splitByPlace(Groups& groups, const Selection& selection, const std::vector<AcquisitionHead>& heads,
                  const ImageSpace& space, Decisions& d);

// Sorts the slices of each frame by line (place/slice_lines.h) and position, and notes the order.
void sortSlices(Groups& groups, const Selection& selection, const std::vector<AcquisitionHead>& heads,
                const ImageSpace& space, Decisions& d);

}  // namespace spokelab
