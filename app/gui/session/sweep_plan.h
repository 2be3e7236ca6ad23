// The sweep behind the charts: first, for each α, the smallest W that meets the accuracy (the time over α), then
// whole widths around those over every α (error and map). Other kernels, sources of kernel values and implementations
// follow where they are asked for.
#pragma once

#include <vector>

#include "app/gui/session/job_queue.h"
#include "engine/nufft/tune/tune.h"
#include "engine/recon/backend.h"
#include "engine/recon/explore/sweep_layers.h"

namespace spokelab {

// Evenly picked from the fast ones, both ends included.
std::vector<double> sweepAlphas(const NufftProblem& problem);
// Whole widths from below the narrowest to the widest that `alphas` need for the accuracy.
std::vector<double> sweepWidths(const NufftProblem& problem, const NufftOptions& options,
                                const std::vector<double>& alphas);

// All candidates; best: the fastest that meets the accuracy. On the worker thread. Throws Cancelled.
TuneResult sweepScan(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
                     const SweepBreadth& breadth, const JobContext& context);

}  // namespace spokelab
