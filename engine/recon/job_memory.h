// The memory that a job of a scan takes at least, compared with what there is before the job takes
// it. What plans take beyond their grid is compared where they are made (CpuPlanDesign::memory).
#pragma once

#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Bytes: the image of all frames and slices; points and density weights in double precision; a copy
// of the samples where coils are mixed or left out; samples, images and a grid of the coils that
// are gridded at once; sums of squares, or all coils' images. SENSE: coil maps, five vectors of its
// iterations, and the samples of all coils.
double reconstructionBytes(const Scan& scan, const ReconOptions& options);

// Throws Error where the job needs more than there is.
void requireReconstructionMemory(const Scan& scan, const ReconOptions& options);

}  // namespace spokelab
