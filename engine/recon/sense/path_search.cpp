#include "engine/recon/sense/path_search.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/plugins/tried_plugin.h"
#include "engine/nufft/tune/tune_reason.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/field/phase_error.h"
#include "engine/recon/sense/path_reason.h"
#include "engine/recon/sense/path_timing.h"
#include "engine/recon/sense/path_wisdom.h"

namespace spokelab {
namespace {

constexpr double maxSearchSeconds = 0.9, maxSearchSecondsTimed = 5;
constexpr double nufftShare = 0.4;  // of the search: the tuning of the segments' NUFFT, over all backends
constexpr double secondsPerCandidate = 0.02, abandonIfSlower = 1.5, skipIfPredictedSlower = 1.3;
constexpr int maxAttempts = 3;  // at more segments, where the measured error is too large
constexpr std::size_t maxToeplitzRatios = 6;
// Guesses, for the order of candidates alone.
constexpr double pairsPerSecondOfThread = 4e8, pairsPerSecondOfDevice = 1e12;

class PathSearch {
 public:
  PathSearch(std::span<TransformBackend* const> backends, const PathSearchRequest& asked, Wisdom* wisdom,
             TuneResult& result, const Progress& progress, const std::function<void(const Candidate&)>& seen)
      : asked_(asked), wisdom_(wisdom), result_(result), progress_(progress), seen_(seen) {
    backends_.assign(backends.begin(), backends.end());
    ours_ = std::count_if(backends_.begin(), backends_.end(),
                          [](const TransformBackend* b) { return !isPlugin(b->name()); });
    exact_ = firstExact(asked.problem);
  }

  const GdftProblem& exact() const { return exact_; }

  void run() {
    progress_.report(0, "Looking for a way through the field");
    for (TransformBackend* backend : backends_)
      if (!isBesideOurs(*backend)) addCandidates(*backend);
    if (!timesNothing()) addPlugins();
    auto& all = result_.candidates;
    // Segments first: their NUFFT has been timed, the others' costs are guesses.
    std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
      const bool first = a.path.transform == TransformKind::segmented,
                 second = b.path.transform == TransformKind::segmented;
      return first != second ? first : a.predictedSeconds < b.predictedSeconds;
    });
    if (timesNothing()) return;
    request_ = makePathRequest(asked_.problem, exact_, asked_.nufft, progress_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].refused.empty() || (i > 0 && isSkipped(all[i]))) continue;
      progress_.report(double(i) / double(all.size()), describe(all[i]));
      timeOne(i);
    }
  }

 private:
  bool timesNothing() const {
    return asked_.nufft.effort == TuneEffort::estimate || asked_.nufft.options.reproducible;
  }
  bool isExhaustive() const { return asked_.nufft.effort == TuneEffort::exhaustive && !timesNothing(); }

  double limit() const {
    const TuneRequest& r = asked_.nufft;
    if (r.timeLimit > 0) return r.timeLimit;
    if (isExhaustive()) return HUGE_VAL;
    if (r.maxSearchSeconds > 0) return r.maxSearchSeconds;
    return r.mustTime ? maxSearchSecondsTimed : maxSearchSeconds;
  }

  // Whether a candidate is not worth its time: making it and running it twice should take longer than the search has
  // left, or it should be slower than the best.
  bool isSkipped(const Candidate& c) const {
    if (isExhaustive()) return false;
    const CostParts& p = c.predictedParts;
    const bool tooLong = !isExact(c.path.transform) &&  // which are timed in part
                         now() - begun_ + p.plan + p.points + 2 * p.execution > limit();
    return tooLong || (!asked_.nufft.mustTime && c.predictedSeconds > skipIfPredictedSlower * bestSeconds());
  }

  void addCandidates(TransformBackend& backend) {
    const bool segments = admits(asked_.problem, TransformKind::segmented),
               convolutions = admits(asked_.problem, TransformKind::segmentedToeplitz);
    if ((segments || convolutions) && !asked_.problem.field.empty()) {
      try {
        addSegmented(backend, segments, convolutions);
      } catch (const Error& e) {
        refuse(backend, segments ? TransformKind::segmented : TransformKind::segmentedToeplitz, e.reason());
      }
    }
    for (const TransformKind kind : {TransformKind::gdft, TransformKind::gdftR2}) {
      if (!admits(asked_.problem, kind)) continue;
      if (exact_.reproducible && !backend.gdftRepeats(asked_.problem.precision))
        refuse(backend, kind, TransformBackend::gdftDisorder);
      else
        addExact(backend, kind);
    }
  }

  void refuse(const NufftBackend& backend, TransformKind kind, const std::string& why) {
    Candidate c;
    c.backend = backend.name();
    c.path.transform = kind;
    c.options = asked_.nufft.options;
    c.refused = why;
    c.predictedSeconds = HUGE_VAL;
    result_.candidates.push_back(std::move(c));
  }

  void addExact(const TransformBackend& backend, TransformKind kind) {
    Candidate c;
    c.backend = backend.name();
    c.path.transform = kind;
    c.options = asked_.nufft.options;
    const double threads =
        c.options.reproducible || c.options.threads > 0 ? workShares(c.options) : hardwareThreads();
    const double pairs = double(exact_.samples()) * double(exact_.pixels()) * double(asked_.problem.batch);
    c.predictedParts.execution =
        2 * pairs / (c.backend == "cpu" ? pairsPerSecondOfThread * threads : pairsPerSecondOfDevice);
    c.predictedSeconds = c.predictedParts.whole(asked_.nufft.workload);
    result_.candidates.push_back(std::move(c));
  }

  double accuracy() const { return asked_.nufft.options.accuracy; }

  Segmentation segmentation(SegmentInterpolator interpolator, double target) const {
    return segment(exact_.field, exact_.times, interpolator, asked_.problem.segments, target, progress_);
  }
  Segmentation differences(double target) const {
    return segmentDifferences(exact_.field, exact_.times, asked_.problem.convolutions, target, progress_);
  }

  void addSegmented(TransformBackend& backend, bool segments, bool convolutions) {
    const SegmentInterpolator own = asked_.problem.interpolator;
    const Segmentation first = segmentation(own, accuracy() / 2);
    const Candidate nufft = tunedSegments(backend, first);
    if (segments) addSegments(nufft, own, first);
    if (segments && isExhaustive())
      for (const auto other :
           {SegmentInterpolator::svd, SegmentInterpolator::minMax, SegmentInterpolator::hanning}) {
        if (other == own) continue;
        try {
          addSegments(nufft, other, segmentation(other, accuracy() / 2));
        } catch (const Error& e) {
          refuse(backend, TransformKind::segmented, std::string(interpolatorName(other)) + ": " + e.reason());
        }
      }
    if (convolutions) addConvolutions(backend, nufft, int(first.segments));
  }

  bool isBesideOurs(const TransformBackend& backend) const { return isPlugin(backend.name()) && ours_ > 0; }

  // Plug-ins know no field, but time segments are NUFFTs like others. They are tuned beside the CPU's plans, as arrays
  // lie in host memory, so that those far behind are given up; that takes none of the search's time.
  void addPlugins() {
    std::vector<NufftBackend*> both;
    for (TransformBackend* backend : backends_)
      if (backend->name() == "cpu" || isBesideOurs(*backend)) both.push_back(backend);
    const bool asked = admits(asked_.problem, TransformKind::segmented) && !asked_.problem.field.empty();
    if (!asked || both.size() < 2 || both.front()->name() != "cpu") return;
    const double start = now();
    try {
      const Segmentation s = segmentation(asked_.problem.interpolator, accuracy() / 2);
      const TuneRequest inner = tuneRequest(s);
      if (pluginCandidates(both, inner).empty()) return;
      const TuneResult tuned = tune(both, inner, wisdom_, progress_);
      if (tuned.cancelled) throw Cancelled{};
      for (NufftBackend* backend : both)
        if (isPlugin(backend->name())) addPluginSegments(*backend, tuned, s);
    } catch (const Error&) {
      return;  // the CPU's own candidates give the reason
    }
    begun_ += now() - start;
  }

  void addPluginSegments(const NufftBackend& plugin, const TuneResult& tuned, const Segmentation& s) {
    const Candidate* best = nullptr;
    for (const Candidate& c : tuned.candidates) {
      if (c.backend != plugin.name()) continue;
      if (!c.refused.empty())
        refuse(plugin, TransformKind::segmented, c.refused);
      else if (c.timed() && (!best || c.cost() < best->cost()))
        best = &c;
    }
    if (best) addSegments(*best, asked_.problem.interpolator, s);
  }

  // Of the plan of a segmented transform's NUFFTs.
  TuneRequest tuneRequest(const Segmentation& s) const {
    TuneRequest inner = segmentRequest(asked_.problem, asked_.nufft, s.segments);
    const double tuners = std::max(1.0, double(ours_));
    if (!isExhaustive()) inner.maxSearchSeconds = nufftShare * limit() / tuners;
    if (inner.timeLimit > 0) inner.timeLimit *= nufftShare / tuners;
    return inner;
  }

  Candidate tunedSegments(TransformBackend& backend, const Segmentation& s) {
    const TuneRequest inner = tuneRequest(s);
    NufftBackend* one = &backend;
    const TuneResult tuned = tune(std::span<NufftBackend* const>(&one, 1), inner, wisdom_, progress_);
    if (tuned.cancelled) throw Cancelled{};
    if (tuned.best < 0) throw Error("Cannot segment the readout", tuned.reason, "Use another transform");
    return tuned.candidates[std::size_t(tuned.best)];
  }

  Candidate pathCandidate(const Candidate& nufft, const Path& path, double calls) const {
    Candidate c;
    c.backend = nufft.backend;
    c.path = path;
    c.options = nufft.options;
    c.options.accuracy = accuracy();
    c.grid = nufft.grid;
    c.predicted = nufft.predicted;
    c.memory = nufft.memory;
    c.predictedParts = nufft.timed() ? nufft.parts() : nufft.predictedParts;
    c.predictedParts.transfer = 0;  // vectors stay where the transforms are
    c.predictedParts.execution *= calls;
    return c;
  }

  void addSegments(const Candidate& nufft, SegmentInterpolator interpolator, const Segmentation& s) {
    const double calls =
        double(asked_.problem.batch * s.segments) / double(segmentBatch(s.segments, exact_.pixels()));
    Candidate c = pathCandidate(nufft, {TransformKind::segmented, interpolator, int(s.segments), 0}, calls);
    c.predictedSeconds = c.predictedParts.whole(asked_.nufft.workload);
    c.predictedNormalError = predictPhaseError(exact_, {}, s, false, c.options.threads);
    result_.candidates.push_back(std::move(c));
  }

  void addConvolutions(TransformBackend& backend, const Candidate& nufft, int segments) {
    const Segmentation s = differences(accuracy() / 2);
    const double phaseError = predictPhaseError(exact_, {}, s, true, asked_.nufft.options.threads);
    const NormalMethod asked = asked_.nufft.options.normal;
    for (const NormalMethod form : {NormalMethod::toeplitz, NormalMethod::toeplitzShifted}) {
      if (isToeplitz(asked) && asked != form) continue;
      for (const double ratio : toeplitzRatios(backend, form)) {
        TuneRequest inner = asked_.nufft;
        inner.options = nufft.options;
        inner.options.accuracy = accuracy();
        inner.options = convolutionNufft(asked_.problem, inner.options);
        inner.options.normal = form;
        inner.options.toeplitzAlpha = ratio;
        inner.effort = TuneEffort::estimate;
        NufftBackend* one = &backend;
        const std::vector<Candidate> plans =
            enumerateCandidates(std::span<NufftBackend* const>(&one, 1), inner);
        const Candidate& cheapest = *std::ranges::min_element(plans, {}, &Candidate::predictedSeconds);
        Candidate c = pathCandidate(
            cheapest,
            {TransformKind::segmentedToeplitz, asked_.problem.interpolator, segments, int(s.segments)},
            double(s.segments));
        c.predictedParts.plan *= double(s.segments);
        c.predictedParts.points *= double(s.segments);
        c.predictedSeconds = c.predictedParts.whole(asked_.nufft.workload);
        c.predictedNormalError = phaseError;
        result_.candidates.push_back(std::move(c));
      }
    }
  }

  std::vector<double> toeplitzRatios(const TransformBackend& backend, NormalMethod form) const {
    const double asked = asked_.nufft.options.toeplitzAlpha;
    if (form != NormalMethod::toeplitz || asked != 0) return {asked};
    if (isExhaustive()) return toeplitzAlphas(asked_.nufft.problem, maxToeplitzRatios);
    if (backend.name() != "cpu" || timesNothing()) return {0};
    return {fastestToeplitzAlpha(asked_.nufft.problem, asked_.nufft.options.threads)};
  }

  double bestSeconds() const {
    double best = HUGE_VAL;
    for (const Candidate& c : result_.candidates)
      if (c.timed() && c.refused.empty()) best = std::min(best, c.cost());
    return best;
  }

  // Times a candidate, and with more segments where these are too few. Candidates of the vector may move.
  void timeOne(std::size_t index) {
    TimingPolicy policy;
    policy.trials = asked_.nufft.trials;
    if (!isExhaustive()) {
      policy.seconds = secondsPerCandidate;
      policy.deadline = asked_.nufft.timeLimit > 0 ? 0 : begun_ + limit();
      if (const double best = bestSeconds(); std::isfinite(best))
        policy.abandonAbove = abandonIfSlower * best;
    }
    double target = accuracy() / 2;
    for (int attempt = 1;; ++attempt) {
      Candidate c = result_.candidates[index];
      backendOf(c).timePath(request_, c, policy, progress_);
      result_.candidates[index] = c;
      if (seen_) seen_(c);
      const bool isOff = !c.refused.empty() && c.measuredError.has_value();
      if (!isOff || attempt == maxAttempts || !moreSegments(c, target /= maxAttempts)) return;
      result_.candidates.push_back(std::move(c));
      index = result_.candidates.size() - 1;
    }
  }

  // False where the number of segments was asked for.
  bool moreSegments(Candidate& c, double target) const {
    const bool sums = c.path.transform == TransformKind::segmentedToeplitz;
    if (sums ? asked_.problem.convolutions > 0 : asked_.problem.segments > 0) return false;
    try {
      const Segmentation s = sums ? differences(target) : segmentation(c.path.interpolator, target);
      (sums ? c.path.convolutions : c.path.segments) = int(s.segments);
      c.predictedNormalError = predictPhaseError(exact_, {}, s, sums, c.options.threads);
    } catch (const Error&) {
      return false;
    }
    c.refused.clear();
    c.measuredError.reset();
    return true;
  }

  TransformBackend& backendOf(const Candidate& c) const {
    return **std::find_if(backends_.begin(), backends_.end(),
                          [&](const TransformBackend* b) { return b->name() == c.backend; });
  }

  const PathSearchRequest& asked_;
  Wisdom* wisdom_;
  TuneResult& result_;
  const Progress& progress_;
  const std::function<void(const Candidate&)>& seen_;
  std::vector<TransformBackend*> backends_;
  std::ptrdiff_t ours_ = 0;  // backends that are no plug-ins
  PathRequest request_;
  GdftProblem exact_;
  double begun_ = now();
};

}  // namespace

bool needsPathSearch(const SenseProblem& problem) {
  if (problem.transform == TransformKind::automatic) return fieldActs(problem);
  return knowsField(problem.transform);
}

TuneResult searchPaths(std::span<TransformBackend* const> backends, const PathSearchRequest& request,
                       Wisdom* wisdom, const Progress& progress,
                       const std::function<void(const Candidate&)>& seen) {
  const double start = now();
  const std::vector<NufftBackend*> plain(backends.begin(), backends.end());
  TuneResult result;
  result.workload = request.nufft.workload;
  PathSearch search(backends, request, wisdom, result, progress, seen);
  std::string withoutField;
  if (request.problem.transform == TransformKind::automatic) {
    const double error = errorWithoutField(search.exact());
    withoutField = "Without the field the error would be " + numberText(error, 2);
    if (error <= request.nufft.options.accuracy / 2) {  // the other half is the NUFFT's
      result = tune(plain, request.nufft, wisdom, progress, seen);
      for (Candidate& c : result.candidates) c.path.transform = TransformKind::nufft;
      result.reason += ". " + withoutField + ": too little to matter";
      return result;
    }
  }
  TuneRequest keyed = request.nufft;
  keyed.pathClass = pathClass(request.problem, search.exact());
  if (wisdom && !request.nufft.options.reproducible) {
    if (std::optional<Candidate> c = recalledPath(plain, request.problem, keyed, *wisdom)) {
      result.candidates.push_back(std::move(*c));
      result.best = 0;
      result.fromWisdom = true;
      result.reason = reasonFor(result, keyed);
      if (seen) seen(result.candidates.front());
      result.seconds = now() - start;
      return result;
    }
  }
  try {
    search.run();
  } catch (const Cancelled&) {
    result.cancelled = true;
  }
  result.best = fastest(result, keyed);
  if (result.best < 0) result.best = cheapestOf(result);
  if (result.best < 0 && !result.cancelled)
    throw Error("Cannot find a transform for the iterations", refusals(result),
                "Ask for less accuracy, or name a transform");
  if (result.best >= 0) {
    Candidate& best = result.candidates[std::size_t(result.best)];
    if (best.timed()) best.outlook = outlookFor(result, keyed);
    if (wisdom && best.timed() && !result.cancelled) wisdom->remember(Wisdom::key(plain, keyed), best);
  }
  result.reason = reasonFor(result, keyed) + untimedText(result);
  if (!withoutField.empty()) result.reason += ". " + withoutField;
  result.seconds = now() - start;
  return result;
}

}  // namespace spokelab
