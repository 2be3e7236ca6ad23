// Times a whole job: makes a plan, sets its points, and executes for the workload's number of
// times. For many similar executions or sets of points, a few are run and the median is taken for
// the rest; the first counts as it was, with its preparations.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/core/stage_timer.h"
#include "engine/nufft/tune/tune.h"
#include "engine/recon/run/run_job.h"
#include "tests/bench/device_memory.h"
#include "tests/bench/workload_cases.h"

namespace spokelab::bench {

struct JobSeconds {
  double whole = 0;  // plan + all sets of points, each with its executions
  CostParts parts;   // medians, as CostParts tells them; copies are part of the execution
};

inline double middle(std::vector<double> values) {
  const auto at = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// Relative distance of the quartiles.
inline double quartileSpread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[values.size() * 3 / 4] - values[values.size() / 4]) / values[values.size() / 2];
}

// `call` gives the seconds it counts for.
template <class Call>
double inSequence(double count, int run, const Call& call, double* typical) {
  std::vector<double> seconds;
  for (int i = 0; i < run && i < count; ++i) seconds.push_back(call());
  const std::vector<double> later(seconds.begin() + (seconds.size() > 1 ? 1 : 0), seconds.end());
  const double each = middle(later);
  if (typical) *typical = each;
  double sum = 0;
  for (const double s : seconds) sum += s;
  return sum + (count - double(seconds.size())) * each;
}

// Executions without limit: `whole` is one execution, of a plan that has its points.
template <class Real>
JobSeconds runJob(NufftBackend& backend, const TuneRequest& request, const NufftOptions& options) {
  constexpr int executionsRun = 6, setsRun = 4;
  const NufftProblem& problem = request.problem;
  const Workload& workload = request.workload;
  const bool onDevice = workload.onDevice && backend.name() != "cpu";
  const bool normal = workload.direction == Direction::normal;
  const std::int64_t samples = std::int64_t(request.points.size()) / problem.dims;
  PlacedData<Real> image(problem.batch * problem.pixels(), onDevice),
      result(problem.batch * problem.pixels(), onDevice),
      sampled(normal ? 0 : problem.batch * samples, onDevice);
  Execution execution;
  execution.devicePointers = onDevice;

  JobSeconds job;
  double start = now();
  const auto plan = backend.plan<Real>(problem, options);
  job.parts.plan = now() - start;
  const auto execute = [&] {
    const double begun = now();
    if (normal) plan->normal(image.data(), result.data(), execution);
    if (workload.direction == Direction::forward || workload.direction == Direction::both)
      plan->forward(image.data(), sampled.data(), execution);
    if (workload.direction == Direction::adjoint || workload.direction == Direction::both)
      plan->adjoint(sampled.data(), result.data(), execution);
    if (onDevice) awaitDevice();
    return now() - begun;
  };
  const auto setAndExecute = [&] {
    const double begun = now();
    plan->setPoints(request.points);
    if (normal) plan->setWeights(request.weights);
    job.parts.points = now() - begun;
    const bool alone = std::isinf(workload.executions);
    const double executed = inSequence(alone ? double(executionsRun) : workload.executions, executionsRun,
                                       execute, &job.parts.execution);
    return job.parts.points + executed;
  };
  double each = 0;
  job.whole = job.parts.plan + inSequence(workload.pointSets, setsRun, setAndExecute, &each);
  if (std::isinf(workload.executions)) job.whole = job.parts.execution;
  return job;
}

// In a field: the reconstruction's transforms made ready, and its iterations.
inline JobSeconds runIterations(Backend& backend, const WorkloadJob& job, const Candidate& path) {
  const Reconstruction result = runJob(backend, *job.scan, job.options, &path, nullptr, {});
  const IterationRecord& record = result.iterations.front();
  JobSeconds seconds;
  seconds.parts.plan = record.planningSeconds;
  seconds.parts.execution = record.seconds.back() / double(record.seconds.size());
  seconds.whole = record.planningSeconds + record.seconds.back();
  return seconds;
}

inline JobSeconds runJob(Backend& backend, const WorkloadJob& job, const Candidate& plan) {
  if (job.scan) return runIterations(backend, job, plan);
  return job.problem.problem.precision == Precision::single
             ? runJob<float>(backend, job.request, plan.options)
             : runJob<double>(backend, job.request, plan.options);
}

}  // namespace spokelab::bench
