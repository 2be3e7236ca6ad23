// Gridding: the road from samples to image that every backend's reconstruct() takes.
//   image[n] = N^{-d} sum_j w_j y_j e^{+2 pi i n . k_j}   ([formulas]), coil by coil, then combined.
// w: DensityWeights in (cycles/FOV)^d; y as in the scan; n from -floor(N/2); image x fastest,
// [frame, z, y, x].
#pragma once

#include <memory>

#include "engine/core/progress.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/job_image.h"
#include "engine/recon/reconstruction.h"
#include "engine/recon/sense/transform_backend.h"

namespace spokelab {

class Wisdom;

// As Backend::reconstruct. A cancel is a result: `cancelled` is set, and the image holds the frames
// that were complete (null where there was none). Throws Error.
Reconstruction gridScan(TransformBackend& backend, const Scan& scan, const ReconOptions& options,
                        const Candidate* plan, Wisdom* wisdom, const Progress& progress);

// The same in steps, for ranks.

// The part of an image that one rank of several grids.
struct GriddingShare {
  SlabShare slabs;   // of the volume, where ranks divide them; the image then has zeros elsewhere
  ImagePlace place;  // where its pixels go, in an image of all ranks
};

// What copies samples to the backend's memory, and mixes them there; null: nothing does.
std::shared_ptr<CoilMixer> griddingMixer(TransformBackend& backend, const Scan& scan,
                                         const ReconOptions& options);
// As prepareScan(). mixer: mixes where it is at hand, or the samples are worth the loading of its libraries.
ScanPreparation prepareGridding(const Scan& scan, const ReconOptions& options, const Progress& progress,
                                const std::shared_ptr<CoilMixer>& mixer, Ranks* ranks);
// coils: of the scan, by the two calls before. A cancel is as in gridScan().
Reconstruction gridPrepared(TransformBackend& backend, const Scan& scan, const ScanPreparation& coils,
                            const std::shared_ptr<CoilMixer>& mixer, const ReconOptions& options,
                            const Candidate* plan, Wisdom* wisdom, const GriddingShare& share,
                            const Progress& progress);

}  // namespace spokelab
