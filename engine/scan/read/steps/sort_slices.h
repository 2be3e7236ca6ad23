// Slices in the order of their positions. Slices are measured in any order (first the even ones,
// then the odd ones, as a rule) and counted in that order; images, files and views follow the
// position.
#pragma once

#include <vector>

#include "engine/scan/read/steps/group_frames.h"

namespace spokelab {

// Makes slices of shots that share a slice counter and lie at several places (decision
// slice-places), and warns where shots of a slice have moved.
void splitByPlace(Groups& groups, const Selection& selection, const std::vector<AcquisitionHead>& heads,
                  const ImageSpace& space, Decisions& d);

// Sorts the slices of each frame: line by line (engine/scan/place/slice_lines.h), in a line by
// position. Notes the order with counters and positions.
void sortSlices(Groups& groups, const Selection& selection, const std::vector<AcquisitionHead>& heads,
                const ImageSpace& space, Decisions& d);

}  // namespace spokelab
