#include "engine/recon/tune_scan.h"

#include <algorithm>

#include "engine/recon/prepare/map_files.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/prepare/slice_selection.h"
#include "engine/recon/scan_sense.h"

namespace spokelab {
namespace {

bool mayNeedPath(const Scan& scan, const ReconOptions& options) {
  return options.iterative.transform != TransformKind::automatic || mayHaveField(scan, options.iterative);
}

}  // namespace

std::optional<PathSearchRequest> pathSearchRequest(const Scan& scan, const ReconOptions& options,
                                                   const TuneRequest& request, const Progress& progress) {
  if (options.iterative.method == ReconMethod::gridding || request.workload.direction != Direction::normal ||
      !knowsField(options.iterative.transform) || !mayNeedPath(scan, options))
    return std::nullopt;
  const int frame = selection(options.frames, scan.frames, "frames").front();
  const SampleChoice choice = chooseSamples(scan, frame, options);
  const Trajectory trajectory = selectedTrajectory(scan, frame, options, choice);
  std::vector<std::string> notes;  // the reconstruction gives them
  PathSearchRequest search;
  search.problem = transformProblem(scan, trajectory, options, {frame, slicesAskedFor(scan, options).front()},
                                    notes, progress);
  if (!needsPathSearch(search.problem)) return std::nullopt;
  search.problem.points.own();  // the trajectory ends here
  search.nufft = request;
  return search;
}

TuneResult tuneScan(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
                    const TuneRequest& request, Wisdom* wisdom, const Progress& progress,
                    const std::function<void(const Candidate&)>& seen) {
  if (const auto search = pathSearchRequest(scan, options, request, progress)) {
    const std::vector<TransformBackend*> able(backends.begin(), backends.end());
    return searchPaths(able, *search, wisdom, progress, seen);
  }
  const std::vector<NufftBackend*> able(backends.begin(), backends.end());
  return tune(able, request, wisdom, progress, seen);
}

TuneEstimate estimateTuneOfScan(const std::vector<Backend*>& backends, const Scan& scan,
                                const ReconOptions& options, const TuneRequest& request, Wisdom* wisdom,
                                const Progress& progress) {
  if (const auto search = pathSearchRequest(scan, options, request, progress)) {
    const std::vector<TransformBackend*> able(backends.begin(), backends.end());
    return estimatePaths(able, *search, wisdom, progress);
  }
  const std::vector<NufftBackend*> able(backends.begin(), backends.end());
  return estimateTuning(able, request, wisdom, progress);
}

}  // namespace spokelab
