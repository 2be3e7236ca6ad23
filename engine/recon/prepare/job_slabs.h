// The slabs in which the volume of a job is transformed (slab_nufft.h).
#pragma once

#include <cstdint>
#include <string>

#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Why the job's transforms cannot be made in slabs; empty: they can. Gridding, and SENSE by gridded
// NUFFTs without a field, of a volume.
std::string whyNotInSlabs(const Scan& scan, const ReconOptions& options);

// The number of slabs if the options ask for some and the job can be divided: the number asked for,
// or fewer of the same length. 1: it is not divided. Throws Error for more slabs than the volume
// has planes.
std::int64_t jobSlabs(const Scan& scan, const ReconOptions& options);

}  // namespace spokelab
