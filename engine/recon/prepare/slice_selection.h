// The slices of a scan that are reconstructed.
#pragma once

#include <vector>

#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The slices of a 2-D scan that options.slices names. A volume has planes, which are transformed
// together: throws Error where options.slices names some of a 3-D scan, or one that is not there.
std::vector<int> slicesAskedFor(const Scan& scan, const ReconOptions& options);

}  // namespace spokelab
