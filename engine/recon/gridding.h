// Gridding: the road from samples to image that every backend's reconstruct() takes.
//   image[n] = N^{-d} sum_j w_j y_j e^{+2 pi i n . k_j}   (design section 3), coil by coil, then combined.
// w: DensityWeights in (cycles/FOV)^d; y as in the scan; n from -floor(N/2); image x fastest, [frame, z, y,
// x].
#pragma once

#include <cstdint>

#include "engine/recon/backend.h"

namespace spokelab {

// As Backend::reconstruct. A cancel is a result: `cancelled` is set, and the image holds the frames that were
// complete (null where there was none). Throws Error.
Reconstruction gridScan(NufftBackend& backend, const Scan& scan, const ReconOptions& options,
                        const Candidate* plan, Wisdom* wisdom, const Progress& progress);

// The request that tunes for a scan: adjoint, with the options' effort. `problem` must outlive it.
TuneRequest tuneRequest(const ScanProblem& problem, const ReconOptions& options);

// The slices of a 2-D scan that options.slices names. A volume has planes, which are transformed together: throws Error
// where options.slices names some of a 3-D scan, or one that is not there.
std::vector<int> slicesAskedFor(const Scan& scan, const ReconOptions& options);

// Those of `backends` that options.backend ("auto": all) allows. Throws Error where there is none.
std::vector<Backend*> backendsFor(const std::vector<Backend*>& backends, const std::string& asked);

// The one of that name; null where there is none.
Backend* backendNamed(const std::vector<Backend*>& backends, const std::string& name);

// Coils that one execution transforms together: all of them, or fewer where their images and samples would take more than
// 1 GB (or than four coils need, to share kernel values), half of the memory limit, or an eighth of the machine's memory.
std::int64_t coilBatch(const Scan& scan, const ReconOptions& options);

}  // namespace spokelab
