// Spreads random samples with a plan and records what each thread did.
#pragma once

#include "engine/nufft/schedule/timeline.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

// The run of the median duration of three, after one that warms up; one image, whatever the problem's batch.
// options: a plan's. Throws Error for a plan of the GPU or one of sparse matrices, which no scheduler spreads.
Timeline recordTimeline(NufftBackend& backend, const NufftProblem& problem, std::span<const double> points,
                        const NufftOptions& options, const Progress& progress);

}  // namespace spokelab
