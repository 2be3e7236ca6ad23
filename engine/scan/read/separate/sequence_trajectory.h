// The readouts of a Pulseq sequence as the trajectory of samples from another file.
#pragma once

#include <filesystem>

#include "engine/core/progress.h"
#include "engine/scan/read/separate/given_trajectory.h"

namespace spokelab {

// 1/m, along the axes that the readouts cover. Readouts that are not for the image (noise,
// navigators, before the first excitation) are left out, unless the scan has `shots` and all
// readouts together have this number. Throws Error, Cancelled.
GivenTrajectory sequenceTrajectory(const std::filesystem::path& file, std::int64_t shots,
                                   const Progress& progress);

}  // namespace spokelab
