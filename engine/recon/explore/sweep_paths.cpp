#include "engine/recon/explore/sweep_paths.h"

#include <algorithm>

#include "engine/core/measure/spans.h"
#include "engine/core/stage_timer.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/plugins/tried_plugin.h"
#include "engine/recon/field/phase_error.h"
#include "engine/recon/run/tune_scan.h"
#include "engine/recon/sense/paths/path_timing.h"

namespace spokelab {
namespace {

constexpr std::size_t maxToeplitzRatios = 6;

class Sweep {
 public:
  Sweep(std::span<TransformBackend* const> backends, const PathSearchRequest& asked,
        const std::vector<double>& alphas, const Progress& progress)
      : search_(asked), progress_(progress) {
    exact_ = firstExact(asked.problem);
    const double target = asked.nufft.options.accuracy / 2;  // the other half is the NUFFTs'
    const bool segments = admits(asked.problem, TransformKind::segmented),
               sums = admits(asked.problem, TransformKind::segmentedToeplitz) && exact_.forms.empty();
    if (exact_.hasPhases() && (segments || sums))
      segmentation_ = segment(exact_, asked.problem.interpolator, asked.problem.segments, target, progress);
    if (!exact_.field.empty() && sums)
      differences_ =
          segmentDifferences(exact_.field, exact_.times, asked.problem.convolutions, target, progress);
    const bool onlyPlugins = std::ranges::all_of(backends, isPluginBackend);
    if (segmentation_.segments > 0 && segments) addPlugins(backends);
    for (const TransformBackend* backend : backends) {
      if (isPluginBackend(backend)) {  // their convolutions and sums would be the CPU's
        if (onlyPlugins) addExact(*backend);
        continue;
      }
      if (segmentation_.segments > 0 && segments)
        for (const double alpha : alphas) addSegments(*backend, alpha);
      if (differences_.segments > 0) {
        for (const double alpha : toeplitzAlphas(asked.nufft.problem, maxToeplitzRatios))
          addConvolutions(*backend, NormalMethod::toeplitz, alpha);
        addConvolutions(*backend, NormalMethod::toeplitzShifted, 0);
      }
      addExact(*backend);
      if (asked.problem.transform == TransformKind::automatic && exact_.hasPhases())
        addOtherModels(*backend, alphas);
    }
  }

  std::vector<RoundEntry> entries(std::span<TransformBackend* const> backends) {
    const auto request = std::make_shared<const PathRequest>(
        makePathRequest(search_.problem, exact_, search_.nufft, progress_));
    std::vector<RoundEntry> entries;
    for (Candidate& c : candidates_) {
      const auto own = std::find_if(backends.begin(), backends.end(),
                                    [&](const TransformBackend* b) { return b->name() == c.backend; });
      entries.push_back({std::move(c),
                         {},
                         [request, segments = segmentNufft_, backend = *own](
                             Candidate& timed, const TimingPolicy& policy, const Progress& progress) {
                           const double start = now();
                           const SpanScope timesOnly(SpanCut::work);
                           if (admitted(*backend, segments.get(), timed, progress))
                             backend->timePath(*request, timed, policy, progress);
                           if (activeTrace()) tellSpan(describe(timed), SpanKind::job, start, now());
                         }});
    }
    return entries;
  }

 private:
  static bool isPluginBackend(const TransformBackend* backend) { return isPlugin(backend->name()); }

  // False, with the reason, where the trial of a plug-in on the NUFFT of a segment ends badly. It
  // is made once. segments: null where nothing is transformed by segments, and no plug-in has a
  // part in it.
  static bool admitted(TransformBackend& backend, const TuneRequest* segments, Candidate& candidate,
                       const Progress& progress) {
    if (!segments || !isPluginBackend(&backend)) return true;
    Candidate tried = candidate;
    try {
      admitPlugin(backend, *segments, 0, tried, progress);
    } catch (const Error& e) {
      candidate.refused = e.reason();
    }
    return candidate.refused.empty();
  }

  void addExact(const TransformBackend& backend) {
    for (const TransformKind k : {TransformKind::gdft, TransformKind::gdftR2})
      if (admits(search_.problem, k)) candidates_.push_back(candidate(backend, {k, {}, 0, 0}));
  }

  // Models other than Gdft: gridding and Toeplitz without the field, and GdftR2, which adds the
  // dephasing within voxels. Their errors are relative to Gdft, so that none of them wins unless
  // the difference is smaller than the accuracy.
  void addOtherModels(const TransformBackend& backend, const std::vector<double>& alphas) {
    for (const double alpha : alphas) {
      Candidate c = gridded(backend, {TransformKind::nufft, {}, 0, 0}, alpha);
      c.options.normal = NormalMethod::gridded;
      addOther(std::move(c), withoutField());
    }
    for (const double alpha : toeplitzAlphas(search_.nufft.problem, maxToeplitzRatios)) {
      Candidate c = gridded(backend, {TransformKind::toeplitz, {}, 0, 0}, 2);
      c.options.normal = NormalMethod::toeplitz;
      c.options.toeplitzAlpha = alpha;
      addOther(std::move(c), withoutField());
    }
    GdftProblem intravoxel = exact_;
    intravoxel.gradient = search_.problem.gradient;
    addOther(candidate(backend, {TransformKind::gdftR2, {}, 0, 0}), errorWithoutIntravoxel(intravoxel));
  }
  void addOther(Candidate c, double error) {
    c.predictedNormalError = error;
    c.predicted.bound = std::max(c.predicted.bound, error);
    candidates_.push_back(std::move(c));
  }
  // The normal operator's error without the field: its phases are one segment whose factors are 1.
  double withoutField() {
    if (withoutField_ == 0) {
      Segmentation none;
      none.segments = 1;
      none.temporal.assign(std::size_t(exact_.samples()), 1);
      none.spatial.assign(std::size_t(exact_.pixels()), 1);
      withoutField_ = predictPhaseError(exact_, {}, none, false, search_.nufft.options.threads);
    }
    return withoutField_;
  }

  // Plug-ins serve as the NUFFTs of time segments, at the ratios that they choose.
  void addPlugins(std::span<TransformBackend* const> backends) {
    TuneRequest segments = segmentRequest(search_.problem, search_.nufft, segmentation_.segments);
    segments.options.alpha = segments.options.width = 0;
    segmentNufft_ = std::make_shared<const TuneRequest>(std::move(segments));
    const std::vector<NufftBackend*> all(backends.begin(), backends.end());
    for (Candidate& c : pluginCandidates(all, *segmentNufft_)) {
      c.options.accuracy = search_.nufft.options.accuracy;
      c.path = segmentedPath();
      c.predictedNormalError = segmentError();
      candidates_.push_back(std::move(c));
    }
  }

  Path segmentedPath() const {
    return {TransformKind::segmented, search_.problem.interpolator, int(segmentation_.segments), 0};
  }
  double segmentError() {
    if (segmentError_ == 0)
      segmentError_ = predictPhaseError(exact_, {}, segmentation_, false, search_.nufft.options.threads);
    return segmentError_;
  }

  Candidate candidate(const TransformBackend& backend, const Path& path) const {
    Candidate c;
    c.backend = backend.name();
    c.path = path;
    c.options = search_.nufft.options;
    return c;
  }

  // A gridded path with the smallest width of segments at this ratio.
  Candidate gridded(const TransformBackend& backend, const Path& path, double alpha) const {
    Candidate c = candidate(backend, path);
    const NufftProblem& problem = search_.nufft.problem;
    c.options.alpha = alpha;
    c.options.kernel = resolvedKernel(c.options.kernel);
    const double accuracy = transformAccuracy(segmentNufft(search_.problem, c.options));
    c.options.width = smallestWidth(problem, c.options.kernel, alpha, accuracy);
    c.grid = gridSizeOn(c.backend, problem, alpha, std::max(1.0, c.options.width), c.options.axisAlpha);
    if (c.options.width > 0) {
      const Kernel kernel(c.options.kernel, c.options.width, alpha);
      c.predicted = predictError(problem, kernel, c.grid, 0, accuracy);
    } else {
      c.refused = "no kernel width reaches the accuracy at this oversampling";
    }
    return c;
  }

  void addSegments(const TransformBackend& backend, double alpha) {
    Candidate c = gridded(backend, segmentedPath(), alpha);
    c.predictedNormalError = segmentError();
    candidates_.push_back(std::move(c));
  }

  void addConvolutions(const TransformBackend& backend, NormalMethod form, double alpha) {
    if (differenceError_ == 0)
      differenceError_ = predictPhaseError(exact_, {}, differences_, true, search_.nufft.options.threads);
    constexpr double ownAlpha = 2;  // of the transforms beside the convolutions
    Candidate c = gridded(backend,
                          {TransformKind::segmentedToeplitz, search_.problem.interpolator,
                           int(segmentation_.segments), int(differences_.segments)},
                          ownAlpha);
    c.options.normal = form;
    c.options.toeplitzAlpha = alpha;
    c.predictedNormalError = differenceError_;
    candidates_.push_back(std::move(c));
  }

  const PathSearchRequest& search_;
  const Progress& progress_;
  GdftProblem exact_;
  Segmentation segmentation_, differences_;
  double segmentError_ = 0, differenceError_ = 0, withoutField_ = 0;
  std::vector<Candidate> candidates_;
  std::shared_ptr<const TuneRequest> segmentNufft_;  // of plug-ins; null: none is asked
};

}  // namespace

TuneResult sweepPaths(std::span<TransformBackend* const> backends, const PathSearchRequest& request,
                      const std::vector<double>& alphas, const Progress& progress,
                      const std::function<void(const Candidate&)>& seen,
                      const std::function<void(std::vector<RoundEntry>&)>& select) {
  const double start = now();
  TuneResult result;
  try {
    std::vector<RoundEntry> entries = Sweep(backends, request, alphas, progress).entries(backends);
    if (select) select(entries);
    result = timeEntries(std::move(entries), request.nufft, progress, seen);
  } catch (const Cancelled&) {  // before anything was timed
    result.cancelled = true;
    result.workload = request.nufft.workload;
  }
  result.seconds = now() - start;
  return result;
}

void timePathAgain(TransformBackend& backend, const PathSearchRequest& asked, Candidate& candidate,
                   const Progress& progress) {
  const GdftProblem exact = firstExact(asked.problem);
  const double predicted = candidate.predictedNormalError;
  candidate.timings = {};
  candidate.measuredError.reset();
  TimingPolicy policy;
  policy.trials = asked.nufft.trials;
  backend.timePath(makePathRequest(asked.problem, exact, asked.nufft, progress), candidate, policy, progress);
  candidate.predictedNormalError = predicted;
}

TuneResult sweepOfScan(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
                       const TuneRequest& request, const SweepPolicy& policy, const Progress& progress,
                       const std::function<void(const Candidate&)>& seen) {
  const auto search = pathSearchRequest(scan, planJob(scan, options), request, progress);
  if (!search) return sweepByPolicy(backends, request, policy, progress, seen);
  const std::vector<double> alphas =
      policy.alphas.empty() ? sweepAlphas(request.problem, request.options) : policy.alphas;
  const std::vector<TransformBackend*> transformBackends(backends.begin(), backends.end());
  TuneResult result = sweepPaths(transformBackends, *search, alphas, progress, seen, policy.select);
  if (result.cancelled) throw Cancelled{};
  return result;
}

std::optional<SweepEstimate> estimateSweepOfScan(const std::vector<Backend*>& backends, const Scan& scan,
                                                 const ReconOptions& options, const TuneRequest& request,
                                                 const SweepPolicy& policy, const Progress& progress) {
  if (pathSearchRequest(scan, planJob(scan, options), request, progress)) return std::nullopt;
  return estimateSweep(backends, request, policy, progress);
}

}  // namespace spokelab
