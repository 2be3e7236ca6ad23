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

// Leaves out the imaging lines that have no trajectory where most lines have one. Returns their
// number. Throws Error where the decision is to refuse.
std::int64_t leaveOutWithoutTrajectory(const std::vector<AcquisitionHead>& heads, Selection& s, Decisions& d);

// Leaves out shots with samples or coordinates that are not finite, of all slices and coils of their
// frame; frames that lose different shots get trajectories of their own. Shots keep their numbers
// (Trajectory::shotNumbers), and their lines leave `groups`. Where only some shots or samples are asked for (ReadOptions), the others
// are not looked at: a bad sample beside those asked for becomes 0. Warns with their number and
// names. Returns whether all samples are finite now: not where the decision is to refuse bad samples,
// which validate() then names. Throws Error where nothing would be left, or where bad coordinates are
// refused.
bool leaveOutBadReadouts(Scan& scan, const RawTrajectory& raw, Groups& groups, bool samplesAreFinite,
                         Decisions& d, const Progress& progress);

}  // namespace spokelab
