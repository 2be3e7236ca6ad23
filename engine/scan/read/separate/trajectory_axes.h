// Names the axes of a trajectory's array by their sizes: samples, shots, or a counter of the
// acquisitions (repetition, slice ...) that lack a trajectory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/scan/formats/acquisitions/acquisition_source.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/read/separate/given_trajectory.h"

namespace spokelab {

struct TrajectoryAxes {
  std::size_t array = 0;           // of GivenTrajectory::arrays: which end has the columns
  std::vector<std::string> names;  // of its sizes: "shot", "sample", or a counter, each once
  // "repetition,shot,sample,column", outermost first; complex numbers have no column.
  std::string text(const GivenTrajectory& t) const;
};

// All namings under which each of these acquisitions has one shot of `samples` samples: a counter's
// axis is as long as the counter has values, the axis of shots as long as the acquisitions with the
// same counters are many. Naming no counter, acquisitions that differ in it share the shots. The
// array's own order comes first. Empty if acquisitions are not a whole grid of their counters.
std::vector<TrajectoryAxes> possibleAxes(const GivenTrajectory& t, const std::vector<AcquisitionHead>& heads,
                                         const std::vector<std::int64_t>& imaging, std::int64_t samples);

// Sorts the points into [counters, shot, sample, column], and returns the acquisitions in the order
// of these shots, once for each group that shares them.
std::vector<std::int64_t> sortShots(GivenTrajectory& t, const TrajectoryAxes& axes,
                                    const std::vector<AcquisitionHead>& heads,
                                    const std::vector<std::int64_t>& imaging);

// Throws Error if an outer axis may be a counter of frames as well as a part of the shots.
void requireOneMeaning(const GivenTrajectory& t, const std::vector<AcquisitionHead>& heads,
                       const std::vector<std::int64_t>& imaging, const Decisions& d);

}  // namespace spokelab
