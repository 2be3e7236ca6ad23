#include "app/gui/session/sweep_plan.h"

#include "engine/recon/explore/sweep_paths.h"
#include "engine/recon/scan_problem.h"

namespace spokelab {
namespace {

SweepPolicy chartPolicy(const SweepBreadth& breadth) {
  SweepPolicy policy;
  policy.wholeWidths = true;
  policy.breadth = breadth;
  return policy;
}

}  // namespace

TuneResult sweepScan(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
                     const SweepBreadth& breadth, const JobContext& context,
                     const std::function<void(const Workload&)>& known) {
  const ScanProblem problem = scanProblem(scan, options);
  TuneRequest request = tuneRequest(problem, options);
  request.measureError = true;
  if (known) known(request.workload);
  return sweepOfScan(backendsFor(backends, options.backend), scan, options, request, chartPolicy(breadth),
                     context.progress, context.seen);
}

std::vector<std::string> sweepScanArguments(const SweepBreadth& breadth) {
  std::vector<std::string> words = sweepArguments(chartPolicy(breadth));
  words.emplace_back("--measure-error");
  return words;
}

}  // namespace spokelab
