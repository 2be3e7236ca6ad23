#include "engine/recon/scan_problem.h"

#include <algorithm>

#include "engine/core/thread_pool.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/grid/frame_sets.h"
#include "engine/recon/prepare/coil_batch.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/job_slabs.h"
#include "engine/recon/prepare/map_files.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/prepare/slice_selection.h"
#include "engine/recon/sense/sense_groups.h"

namespace spokelab {

namespace {

// What a reconstruction does with plans that take `batch` coils at a time: one plan, and new points
// where a frame has its own trajectory. Iterations plan anew for what belongs to the plan.
Workload reconstructionWorkload(const Scan& scan, const ReconOptions& options, std::size_t frames,
                                std::size_t slices, std::int64_t batch) {
  const std::int64_t coils = coilsPrepared(scan, options);
  const double calls = double((coils + batch - 1) / batch), planes = scan.dims() < 3 ? double(slices) : 1;
  const bool moves = scan.trajectories.size() > 1;
  Workload workload;
  if (options.iterative.method == ReconMethod::gridding) {
    const double shown = options.combination == Combination::none ? 1 : double(frames);
    workload.direction = Direction::adjoint;
    workload.executions = calls * planes * (moves ? 1 : shown);
    workload.pointSets = moves ? shown : 1;
    return workload;
  }
  workload.direction = Direction::normal;
  const double right = 1;  // the right side is an adjoint
  workload.executions = calls * (options.iterative.solver.iterations + right);
  const bool field = mayHaveField(scan, options.iterative);
  // Phases of shots, and a field of each slice, belong to the plan.
  if (options.iterative.method == ReconMethod::sense && !(field && (moves || planes > 1))) {
    workload.executions *= planes * (moves ? 1 : double(frames));
    workload.pointSets = moves ? double(frames) : 1;
  }
  workload.onDevice = true;
  return workload;
}

}  // namespace

ScanProblem scanProblem(const Scan& scan, const ReconOptions& options) {
  const std::vector<int> frames = selection(options.frames, scan.frames, "frames");
  const std::vector<int> slices = slicesAskedFor(scan, options);  // throws before anything is timed
  Trajectory part;
  const SampleChoice choice = chooseSamples(scan, frames.front(), options);
  if (!choice.empty()) part = selectedTrajectory(scan, frames.front(), options, choice);
  const Trajectory& trajectory = choice.empty() ? scan.trajectory(frames.front()) : part;
  ScanProblem result;
  result.problem.dims = trajectory.dims;
  const auto dims = std::size_t(trajectory.dims);
  for (std::size_t d = 0; d < dims; ++d) result.problem.size[d] = scan.geometry.matrix[d];
  result.problem.precision = options.precision;
  result.problem.measure = options.measure;
  result.problem.batch = coilBatch(scan, options);
  result.whole = result.problem;
  result.slabs = jobSlabs(scan, options);
  result.problem = slabProblem(result.whole, result.slabs);
  result.workload = reconstructionWorkload(scan, options, frames.size(), slices.size(), result.problem.batch);
  if (options.iterative.method == ReconMethod::gridding)
    result.workload.together = double(mostFramesTogether(scan, options, frames, result.problem));
  else if (result.slabs > 1)
    result.workload.onDevice = false;
  const bool shotByShot = options.iterative.method == ReconMethod::pcSense && trajectory.shots() > 0;
  result.points.resize(shotByShot ? std::size_t(trajectory.shotOffsets[1]) * dims : trajectory.points.size());
  constexpr std::int64_t pointsPerTask = 1 << 14;
  parallelFor(std::int64_t(result.points.size() / dims), options.nufft.threads, pointsPerTask,
              [&](std::int64_t begin, std::int64_t end) {
                for (std::size_t i = std::size_t(begin) * dims; i < std::size_t(end) * dims; i += dims)
                  for (std::size_t d = 0; d < dims; ++d)
                    result.points[i + d] = trajectory.points[i + d] / double(scan.geometry.matrix[d]);
              });
  return result;
}

TuneRequest tuneRequest(const ScanProblem& problem, const ReconOptions& options) {
  TuneRequest request;
  request.problem = problem.problem;
  request.points = problem.points;
  request.options = options.iterative.method == ReconMethod::gridding
                        ? options.nufft
                        : plainNufft(options.iterative.transform, options.nufft);
  if (problem.slabs > 1 && options.iterative.method != ReconMethod::gridding)
    request.options.normal = NormalMethod::gridded;
  request.effort = options.effort;
  request.trials = options.tuning.trials;
  request.timeLimit = options.tuning.timeLimit;
  request.workload = problem.workload;
  if (options.tuning.direction) request.workload.direction = *options.tuning.direction;
  if (options.tuning.reuse > 0) request.workload.executions = options.tuning.reuse;
  if (options.tuning.pointSets > 0) request.workload.pointSets = options.tuning.pointSets;
  return request;
}

bool planIsGiven(const ReconOptions& options) {
  const bool normalOpen = options.iterative.method != ReconMethod::gridding &&
                          options.iterative.transform == TransformKind::automatic &&
                          options.nufft.normal == NormalMethod::automatic;
  return options.nufft.alpha > 0 && options.nufft.width > 0 && !normalOpen;
}

}  // namespace spokelab
