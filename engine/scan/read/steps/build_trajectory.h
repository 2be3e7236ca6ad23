// Stored coordinates -> cycles/FOV, density weights and times of each frame.
#pragma once

#include <vector>

#include "engine/scan/read/steps/group_frames.h"
#include "engine/scan/scan.h"

namespace spokelab {

Trajectory buildTrajectory(const RawTrajectory& raw, const Columns& columns, const Selection& selection,
                           const std::vector<AcquisitionHead>& heads, const ImageSpace& space,
                           const Groups& groups, std::size_t frame);
// Scales the weights to the area (volume) that the samples cover; empties useless ones.
void normaliseWeights(std::vector<Trajectory>& trajectories, Decisions& d);

}  // namespace spokelab
