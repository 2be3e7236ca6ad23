#include "engine/recon/run/tune_scan.h"

#include <algorithm>

#include "engine/recon/field/field_gradient.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/run/sense/scan_sense.h"

namespace spokelab {
namespace {

bool mayNeedPath(const JobPlan& job) {
  return job.options.iterative.transform != TransformKind::automatic || job.mayHaveField;
}

}  // namespace

std::optional<PathSearchRequest> pathSearchRequest(const Scan& scan, const JobPlan& job,
                                                   const TuneRequest& request, const Progress& progress) {
  const ReconOptions& options = job.options;
  if (!job.iterates || request.workload.direction != Direction::normal ||
      !knowsField(options.iterative.transform) || !mayNeedPath(job))
    return std::nullopt;
  const int frame = job.frames.front();
  const SampleChoice choice = chooseSamples(scan, frame, options);
  const Trajectory trajectory = selectedTrajectory(scan, frame, options, choice);
  std::vector<std::string> notes;  // the reconstruction gives them
  PathSearchRequest search;
  search.problem = transformProblem(scan, trajectory, job, {frame, job.slices.front()}, notes, progress);
  if (!needsPathSearch(search.problem)) return std::nullopt;
  if (search.problem.transform == TransformKind::automatic && !search.problem.field.empty())
    search.problem.gradient = fieldGradient(search.problem.field, search.problem.matrix, search.problem.dims,
                                            options.iterative.gradientMode);  // of GdftR2, in sweeps
  search.problem.points.own();                                                // the trajectory ends here
  search.nufft = request;
  return search;
}

TuneResult tuneScan(const std::vector<Backend*>& backends, const Scan& scan, const JobPlan& job,
                    const TuneRequest& request, Wisdom* wisdom, const Progress& progress,
                    const std::function<void(const Candidate&)>& seen) {
  if (const auto search = pathSearchRequest(scan, job, request, progress)) {
    const std::vector<TransformBackend*> able(backends.begin(), backends.end());
    return searchPaths(able, *search, wisdom, progress, seen);
  }
  const std::vector<NufftBackend*> able(backends.begin(), backends.end());
  return tune(able, request, wisdom, progress, seen);
}

TuneEstimate estimateTuneOfScan(const std::vector<Backend*>& backends, const Scan& scan, const JobPlan& job,
                                const TuneRequest& request, Wisdom* wisdom, const Progress& progress) {
  if (const auto search = pathSearchRequest(scan, job, request, progress)) {
    const std::vector<TransformBackend*> able(backends.begin(), backends.end());
    return estimatePaths(able, *search, wisdom, progress);
  }
  const std::vector<NufftBackend*> able(backends.begin(), backends.end());
  return estimateTuning(able, request, wisdom, progress);
}

}  // namespace spokelab
