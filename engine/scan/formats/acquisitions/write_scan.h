// Scan -> ISMRMRD HDF5: one acquisition for each frame, slice and shot (repetition, slice,
// kspace_encode_step_1), noise readouts first. Written by a child process (child_process.h).
#pragma once

#include <filesystem>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Trajectory in cycles/FOV; weights as a further dimension only if asked; times as the fourth where
// they do not start at 0 with the readout. Throws Error, Cancelled.
void writeScan(const Scan& scan, const std::filesystem::path& file, const Progress& progress,
               bool withWeights = false);

}  // namespace spokelab
