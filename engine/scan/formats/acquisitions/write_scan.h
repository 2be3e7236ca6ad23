// Scan -> ISMRMRD HDF5: one acquisition for each frame, slice and shot (repetition, slice,
// kspace_encode_step_1), noise readouts first; traces in whole counts as waveforms. Written by a
// child process (child_process.h).
#pragma once

#include <filesystem>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The trajectory is in cycles/FOV. Density weights are written only if asked for, as the column
// behind k. Times that do not start at 0 with the readout are written in seconds, always as the
// fourth column. In 2-D the third column then holds the weight, or 0. In 3-D a file cannot hold
// both weights and such times.
// Throws Error (also for these), Cancelled.
void writeScan(const Scan& scan, const std::filesystem::path& file, const Progress& progress,
               bool withWeights = false);

}  // namespace spokelab
