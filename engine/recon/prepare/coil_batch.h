// The number of a scan's coils that are transformed together.
#pragma once

#include <cstdint>

#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Coils that one execution transforms together: all of them, or fewer where their images and
// samples would take more than
// 1 GB (or than four coils need, to share kernel values), half of the memory limit, or an eighth of
// the machine's memory.
std::int64_t coilBatch(const Scan& scan, const ReconOptions& options);

}  // namespace spokelab
