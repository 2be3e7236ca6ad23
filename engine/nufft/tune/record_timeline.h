// Spreads random samples with a plan and records what each thread did.
#pragma once

#include <span>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/schedule/timeline.h"

namespace spokelab {

// Keeps the run of median duration of three, after a warm-up, of one image. options: a plan's.
// Throws Error for the GPU and for sparse matrices, because the CPU's scheduler does not spread
// their samples.
Timeline recordTimeline(NufftBackend& backend, const NufftProblem& problem, std::span<const double> points,
                        const NufftOptions& options, const Progress& progress);

}  // namespace spokelab
