// Readouts with numbers that are not finite, and lines without a trajectory: one of them does not
// cost the scan (decision bad-readouts).
#pragma once

#include <vector>

#include "engine/scan/read/steps/group_frames.h"
#include "engine/scan/read/steps/raw_trajectory.h"

namespace spokelab {

inline constexpr const char* badReadoutsTopic = "bad-readouts";

// Gives each acquisition that `raw.bad` marks the coordinates of a sound neighbour, so that the
// decisions about the trajectory do not see numbers that are not finite. Throws Error where none is
// sound, or where the decision is to refuse such readouts and one of them is asked for.
void replaceBadLines(RawTrajectory& raw, const Decisions& d);

// Leaves out imaging lines without a trajectory if most have one; their number. Throws Error.
std::int64_t leaveOutWithoutTrajectory(const std::vector<AcquisitionHead>& heads, Selection& s, Decisions& d);

// Leaves out shots with samples or coordinates that are not finite, in all slices and coils of
// their frame. Frames that lose different shots get separate trajectories. Shots keep their numbers
// (Trajectory::shotNumbers), and their lines leave `groups`. If only some shots or samples are
// selected (ReadOptions), bad samples beside them become 0. Warns with the number and the shots.
// Returns true if all samples are finite now, false if the decision refuses bad samples, which
// validate() then names. Throws Error if no shot would be left, or if bad coordinates are refused.
bool leaveOutBadReadouts(Scan& scan, const RawTrajectory& raw, Groups& groups, bool samplesAreFinite,
                         Decisions& d, const Progress& progress);

}  // namespace spokelab
