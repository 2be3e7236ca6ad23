#include "engine/recon/scan_problem.h"

#include "engine/recon/prepare/coil_batch.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/prepare/slice_selection.h"

namespace spokelab {

ScanProblem scanProblem(const Scan& scan, const ReconOptions& options) {
  const std::vector<int> frames = selection(options.frames, scan.frames, "frames");
  slicesAskedFor(scan, options);  // throws before anything is timed
  Trajectory part;
  const SampleChoice choice = chooseSamples(scan, frames.front(), options);
  if (!choice.empty()) part = selectedTrajectory(scan, frames.front(), options, choice);
  const Trajectory& trajectory = choice.empty() ? scan.trajectory(frames.front()) : part;
  ScanProblem result;
  result.problem.dims = trajectory.dims;
  const auto dims = std::size_t(trajectory.dims);
  for (std::size_t d = 0; d < dims; ++d) result.problem.size[d] = scan.geometry.matrix[d];
  result.problem.precision = options.precision;
  result.problem.batch = coilBatch(scan, options);
  result.points.resize(trajectory.points.size());
  for (std::size_t i = 0; i < result.points.size(); ++i)
    result.points[i] = trajectory.points[i] / double(scan.geometry.matrix[i % dims]);
  return result;
}

TuneRequest tuneRequest(const ScanProblem& problem, const ReconOptions& options) {
  TuneRequest request;
  request.problem = problem.problem;
  request.points = problem.points;
  request.options = options.nufft;
  request.effort = options.effort;
  request.direction = Direction::adjoint;
  return request;
}

}  // namespace spokelab
