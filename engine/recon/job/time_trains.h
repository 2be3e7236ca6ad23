// Frames of several axes, such as echo x time, that are compared along one of them.
#pragma once

#include <vector>

namespace spokelab {

struct JobPlan;

// The number of the train of each frame of the job, from 0: frames of a train differ along the axis
// of time alone (without one along phase, frame, average or echo, the first that is there). GRASP
// has a train for each place of the other axes; every other method has one of all frames.
std::vector<int> timeTrains(const JobPlan& plan);

}  // namespace spokelab
