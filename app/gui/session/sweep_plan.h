// The sweep behind the charts, in two parts. For each α it times the smallest W that meets the
// accuracy: this is the chart of time over α. Then it times whole widths around those at every α:
// these are the charts of error, and the α×W map. Errors are measured if the plan asks for it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/session/job_queue.h"
#include "engine/recon/explore/sweep_policy.h"
#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The quick sweep of the charts: alphas and widths by default, and whole widths after them.
SweepPolicy chartPolicy(const SweepBreadth& breadth);

// A sweep as a person asked for it.
struct SweepPlan {
  ReconOptions options;  // accuracy, workload, repeats, time limit and backend among them
  SweepPolicy policy;
  bool measureErrors = true;
};

// All candidates; best: the fastest that meets the accuracy. known: told the workload before
// anything is timed. On the worker thread. Throws Error; Cancelled.
TuneResult sweepScan(const std::vector<Backend*>& backends, const Scan& scan, const SweepPlan& plan,
                     const JobContext& context, const std::function<void(const Workload&)>& known = {});

// The expected time of a sweep; empty if it cannot be known beforehand. Throws Error; Cancelled.
std::optional<SweepEstimate> estimateSweep(const std::vector<Backend*>& backends, const Scan& scan,
                                           const SweepPlan& plan, const Progress& progress);

// The arguments that the command `sweep` needs, beside the options, to repeat it.
std::vector<std::string> sweepScanArguments(const SweepPlan& plan);

}  // namespace spokelab
