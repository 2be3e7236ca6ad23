// What a scan asks of the transform: problem, points, coils together, and the request that tunes for it.
#include <algorithm>

#include "engine/core/error.h"
#include "engine/recon/coil_preparation.h"
#include "engine/recon/gridding.h"
#include "engine/recon/sample_selection.h"
#include "engine/scan/memory_check.h"

namespace spokelab {
namespace {

constexpr double largestBatchBytes = 1e9;     // oversampled grids of one execution
constexpr double largestMemoryShare = 0.125;  // of the machine's
constexpr double gridOverImage = 2.0;         // per dimension, for the estimate

}  // namespace

std::int64_t coilBatch(const Scan& scan, const ReconOptions& options) {
  double bytes = options.precision == Precision::single ? sizeof(cfloat) : sizeof(cdouble);
  for (std::size_t d = 0; d < std::size_t(scan.dims()); ++d)
    bytes *= gridOverImage * double(scan.geometry.matrix[d]);
  const std::int64_t coils = coilsPrepared(scan, options);
  const bool asked = options.coilsAtOnce > 0;
  double room = asked ? bytes * options.coilsAtOnce
                      : std::min(largestBatchBytes, largestMemoryShare * physicalMemoryBytes());
  if (options.nufft.memoryLimit > 0) room = std::min(room, double(options.nufft.memoryLimit) / 2);
  const auto most = std::clamp<std::int64_t>(std::int64_t(room / bytes), 1, coils);
  const std::int64_t rounds = (coils + most - 1) / most;
  return (coils + rounds - 1) / rounds;  // rounds of one size
}

std::vector<int> slicesAskedFor(const Scan& scan, const ReconOptions& options) {
  if (scan.dims() == 3 && !options.slices.empty())
    throw Error("Cannot reconstruct slices " + options.slices + " of " + scan.name,
                "the scan is 3-D: its volume is reconstructed as a whole, all " +
                    std::to_string(scan.geometry.matrix[2]) + " planes at once",
                "Leave out slices (--slices); every plane is in the image");
  return selection(options.slices, scan.slices, "slices");
}

ScanProblem scanProblem(const Scan& scan, const ReconOptions& options) {
  const std::vector<int> frames = selection(options.frames, scan.frames, "frames");
  slicesAskedFor(scan, options);  // throws before anything is timed
  Trajectory part;
  if (selectsSamples(options)) part = selectedTrajectory(scan, frames.front(), options);
  const Trajectory& trajectory = part.points.empty() ? scan.trajectory(frames.front()) : part;
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
