// Reads noise readouts from a separate file.
#pragma once

#include <filesystem>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"

namespace spokelab {

// [coil, sample]: of an array with an axis of the scan's coils, or the noise acquisitions of an
// ISMRMRD file. Throws Error where it does not fit, Cancelled.
Buffer<cfloat> readGivenNoise(const std::filesystem::path& file, int coils, Decisions& d,
                              const Progress& progress);

}  // namespace spokelab
