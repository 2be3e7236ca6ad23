// Spreads random samples with a plan and records what each thread did.
#pragma once

#include <span>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/schedule/timeline.h"

namespace spokelab {

// The run of median duration of three, after a warm-up; one image, whatever the problem's batch.
// options: a plan's. Throws Error for the GPU and for sparse matrices: the CPU's scheduler does not
// spread their samples.
Timeline recordTimeline(NufftBackend& backend, const NufftProblem& problem, std::span<const double> points,
                        const NufftOptions& options, const Progress& progress);

}  // namespace spokelab
