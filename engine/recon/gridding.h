// Gridding: the road from samples to image that every backend's reconstruct() takes.
//   image[n] = N^{-d} sum_j w_j y_j e^{+2 pi i n . k_j}   ([formulas]), coil by coil, then combined.
// w: DensityWeights in (cycles/FOV)^d; y as in the scan; n from -floor(N/2); image x fastest,
// [frame, z, y, x].
#pragma once

#include "engine/core/progress.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/reconstruction.h"
#include "engine/recon/sense/transform_backend.h"

namespace spokelab {

class Wisdom;

// As Backend::reconstruct. A cancel is a result: `cancelled` is set, and the image holds the frames
// that were complete (null where there was none). slabs: of the volume, where ranks divide them; the image then has zeros
// elsewhere. Throws Error.
Reconstruction gridScan(TransformBackend& backend, const Scan& scan, const ReconOptions& options,
                        const Candidate* plan, Wisdom* wisdom, const Progress& progress,
                        const SlabShare& slabs = {});

}  // namespace spokelab
