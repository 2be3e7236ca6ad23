// Findings about the places of slices, frames and maps. Shared by checkScan() and `info --check`.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/check/check_scan.h"

namespace spokelab {

// Order and spacing of slices, orientations, frames elsewhere, slices without positions.
void checkPlaces(const Scan& scan, std::vector<Finding>& findings);

// Checks a map in a file: it must give its place and overlap the image. Throws Error, Cancelled.
void checkMap(const Scan& scan, const std::filesystem::path& file, std::vector<Finding>& findings,
              const Progress& progress);

}  // namespace spokelab
