// The speeds of a job's ranks: unequal machines get unequal shares (rank_share.h).
#pragma once

#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/nufft/nufft.h"

namespace spokelab {

// Speed of each rank, the fastest 1: measured with a small transform in place of the job's, by all
// ranks at the same time, as ranks of one machine will share it; the median over each kind of
// processor (NufftBackend::fingerprint). All 1, without measuring, where all have one kind, and
// where kinds differ by less than a quarter: images of such jobs are the same in each run. All
// ranks call it at the same time and get the same. threads: 0: all of the machine. Throws Error;
// Cancelled.
std::vector<double> rankSpeeds(Ranks& ranks, NufftBackend& backend, int threads, const Progress& progress);

}  // namespace spokelab
