#include "engine/recon/run/scan_problem.h"

#include "engine/core/thread_pool.h"
#include "engine/recon/job/plain_nufft.h"
#include "engine/recon/prepare/sample_selection.h"

namespace spokelab {

ScanProblem scanProblem(const Scan& scan, const JobPlan& job) {
  const ReconOptions& options = job.options;
  const int frame = job.frames.front();
  Trajectory part;
  const SampleChoice choice = chooseSamples(scan, frame, options);
  if (!choice.empty()) part = selectedTrajectory(scan, frame, options, choice);
  const Trajectory& trajectory = choice.empty() ? scan.trajectory(frame) : part;
  const auto dims = std::size_t(job.dims);
  ScanProblem result{job.problem, job.whole, job.slabs, {}, job.workload};
  const bool shotByShot = options.iterative.method == ReconMethod::pcSense && trajectory.shots() > 0;
  result.points.resize(shotByShot ? std::size_t(trajectory.shotOffsets[1]) * dims : trajectory.points.size());
  constexpr std::int64_t pointsPerTask = 1 << 14;
  parallelFor(std::int64_t(result.points.size() / dims), options.nufft.threads, pointsPerTask,
              [&](std::int64_t begin, std::int64_t end) {
                for (std::size_t i = std::size_t(begin) * dims; i < std::size_t(end) * dims; i += dims)
                  for (std::size_t d = 0; d < dims; ++d)
                    result.points[i + d] = trajectory.points[i + d] / double(job.matrix[d]);
              });
  return result;
}

TuneRequest tuneRequest(const ScanProblem& problem, const ReconOptions& options) {
  const bool gridding = options.iterative.method == ReconMethod::gridding;
  TuneRequest request;
  request.problem = problem.problem;
  request.points = problem.points;
  request.options = gridding ? options.nufft : plainNufft(options.iterative.transform, options.nufft);
  if (problem.slabs > 1 && !gridding) request.options.normal = NormalMethod::gridded;
  request.effort = options.effort;
  request.trials = options.tuning.trials;
  request.timeLimit = options.tuning.timeLimit;
  request.workload = problem.workload;
  if (options.tuning.direction) request.workload.direction = *options.tuning.direction;
  if (options.tuning.reuse > 0) request.workload.executions = options.tuning.reuse;
  if (options.tuning.pointSets > 0) request.workload.pointSets = options.tuning.pointSets;
  return request;
}

}  // namespace spokelab
