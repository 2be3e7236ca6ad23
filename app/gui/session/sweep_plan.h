// The sweep behind the charts: for each α the smallest W that meets the accuracy (the time over α),
// then whole widths around those over every α (error and map), with every error measured.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/gui/session/job_queue.h"
#include "engine/recon/explore/sweep_policy.h"

namespace spokelab {

// All candidates; best: the fastest that meets the accuracy. known: told the workload before anything
// is timed. On the worker thread. Throws Error; Cancelled.
TuneResult sweepScan(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
                     const SweepBreadth& breadth, const JobContext& context,
                     const std::function<void(const Workload&)>& known = {});

// The arguments that the command `sweep` needs, beside the options, to repeat it.
std::vector<std::string> sweepScanArguments(const SweepBreadth& breadth);

}  // namespace spokelab
