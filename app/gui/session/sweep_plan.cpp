#include "app/gui/session/sweep_plan.h"

#include "engine/recon/explore/scan_field.h"
#include "engine/recon/explore/sweep_paths.h"
#include "engine/recon/run/scan_problem.h"

namespace spokelab {
namespace {

TuneRequest requestOf(const ScanProblem& problem, const SweepPlan& plan) {
  TuneRequest request = tuneRequest(problem, plan.options);
  request.measureError = plan.measureErrors;
  return request;
}

}  // namespace

SweepPolicy chartPolicy(const SweepBreadth& breadth) {
  SweepPolicy policy;
  policy.wholeWidths = true;
  policy.breadth = breadth;
  return policy;
}

TuneResult sweepScan(const std::vector<Backend*>& backends, const Scan& scan, const SweepPlan& plan,
                     const JobContext& context, const std::function<void(const Workload&)>& known) {
  const ScanProblem problem = scanProblem(scan, plan.options);
  const TuneRequest request = requestOf(problem, plan);
  if (known) known(request.workload);
  const auto chosen = backendsFor(backends, plan.options.backend, plan.options.devices);
  constexpr double fieldShare = 0.2;
  const bool finds = findsField(plan.options);
  const ReconOptions options =
      withEchoField(*chosen.front(), scan, plan.options, context.progress.part(0, fieldShare));
  return sweepOfScan(chosen, scan, options, request, plan.policy,
                     context.progress.part(finds ? fieldShare : 0, 1), context.seen);
}

std::optional<SweepEstimate> estimateSweep(const std::vector<Backend*>& backends, const Scan& scan,
                                           const SweepPlan& plan, const Progress& progress) {
  if (findsField(plan.options)) return std::nullopt;  // the field decides the paths
  const ScanProblem problem = scanProblem(scan, plan.options);
  return estimateSweepOfScan(backendsFor(backends, plan.options.backend, plan.options.devices), scan,
                             plan.options, requestOf(problem, plan), plan.policy, progress);
}

std::vector<std::string> sweepScanArguments(const SweepPlan& plan) {
  std::vector<std::string> words = sweepArguments(plan.policy);
  if (plan.measureErrors) words.emplace_back("--measure-error");
  return words;
}

}  // namespace spokelab
