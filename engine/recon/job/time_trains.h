// Frames of several axes, such as echo x time, that are compared along one of them.
#pragma once

#include <vector>

namespace spokelab {

struct JobPlan;

// The train of each frame of the job, numbered from 0. Frames of a train differ only along the axis
// of time; without such an axis, along the first of phase, frame, average and echo. GRASP and L+S
// have a train for each place on the other axes; every other method has one train of all frames.
std::vector<int> timeTrains(const JobPlan& plan);

}  // namespace spokelab
