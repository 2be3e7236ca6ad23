// The arrays that a description names beside samples and trajectory: coil maps, a field map.
#pragma once

#include "engine/core/progress.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Appends them to the scan's arrays, with a note on each. Throws Error, Cancelled.
void readNamedArrays(const ScanDescription& description, Scan& scan, Decisions& d, const Progress& progress);

}  // namespace spokelab
