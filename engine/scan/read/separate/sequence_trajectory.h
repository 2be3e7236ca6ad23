// The readouts of a Pulseq sequence as the trajectory of samples from another file.
#pragma once

#include <filesystem>

#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/read/separate/given_trajectory.h"

namespace spokelab {

// 1/m, along the axes that the readouts cover. Readouts that are not for the image (noise,
// navigators, before the first excitation) are left out, unless the scan has `shots` and all
// readouts together have this number. girf: file of an impulse response that the sequence's
// gradients go through; empty: none. Throws Error, Cancelled.
GivenTrajectory sequenceTrajectory(const std::filesystem::path& file, std::int64_t shots,
                                   const std::filesystem::path& girf, const Progress& progress);

// The decision sequenceGirf, where a response acts.
void noteResponse(const GivenTrajectory& trajectory, Decisions& d);

}  // namespace spokelab
