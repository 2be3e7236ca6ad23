// Frames and slices: which counters of the acquisition headers tell one image from another.
#pragma once

#include <vector>

#include "engine/scan/frame_axes.h"
#include "engine/scan/read/header/mrd_header.h"
#include "engine/scan/read/steps/decide_space.h"

namespace spokelab {

// Positions in Selection::imaging, [frame][slice][shot].
struct Groups {
  std::vector<std::vector<std::vector<std::size_t>>> lines;
  bool sharedTrajectory = true;        // all frames have the same points
  bool slicesAreFrames = false;        // slices with different trajectories, or slabs
  std::vector<int> sliceCounters;      // the slice counter of each slice
  int averages = 1;                    // repeated measurements merged into a frame
  std::vector<FrameMeaning> counters;  // that made frames, the first one slowest
  FrameAxes axes;                      // what the frames are: nameFrames()
};
Groups groupAcquisitions(const RawTrajectory& raw, const Columns& columns, const Selection& selection,
                         const std::vector<AcquisitionHead>& heads, const ImageSpace& space, Decisions& d);

// Keeps the frames and slices asked for (decisions read-frames and read-slices).
void keepAskedFor(Groups& groups, Decisions& d);

// One axis for each counter that made frames (Groups::counters), the first one slowest. A counter
// with a single value makes an axis only where that value is known.
FrameAxes nameFrames(const Groups& groups, const Selection& selection,
                     const std::vector<AcquisitionHead>& heads, const MrdHeader& header, Decisions& d);

}  // namespace spokelab
