#include "engine/recon/sense/paths/path_search.h"

#include <algorithm>
#include <cmath>

#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/tune_reason.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/field/phase_error.h"
#include "engine/recon/sense/paths/path_candidates.h"
#include "engine/recon/sense/paths/path_reason.h"
#include "engine/recon/sense/paths/path_timing.h"
#include "engine/recon/sense/paths/path_wisdom.h"

namespace spokelab {
namespace {

constexpr double secondsPerCandidate = 0.02, abandonIfSlower = 1.5, skipIfPredictedSlower = 1.3;
constexpr double runsOfCandidate = 4;  // two of them for the errors
constexpr double maxExactSeconds = 1;  // of exact sums, which are timed in part
constexpr int maxAttempts = 3;         // at more segments, where the measured error is too large

class PathSearch {
 public:
  PathSearch(std::span<TransformBackend* const> backends, const PathSearchRequest& asked, Wisdom* wisdom,
             TuneResult& result, const Progress& progress, const std::function<void(const Candidate&)>& seen)
      : search_(asked),
        result_(result),
        progress_(progress),
        seen_(seen),
        backends_(backends.begin(), backends.end()),
        candidates_(backends, asked, wisdom, result, progress) {}

  const GdftProblem& exact() const { return candidates_.exact(); }

  void run() {
    progress_.report(0, "Looking for a way through the field");
    candidates_.add();
    if (!timesNothing(search_)) addPlugins();
    auto& all = result_.candidates;
    // Segments first: their NUFFT has been timed, the others' costs are guesses.
    std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
      const bool first = a.path.transform == TransformKind::segmented,
                 second = b.path.transform == TransformKind::segmented;
      return first != second ? first : a.predictedSeconds < b.predictedSeconds;
    });
    if (timesNothing(search_)) return;
    request_ = makePathRequest(search_.problem, exact(), search_.nufft, progress_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].refused.empty() || (i > 0 && isSkipped(all[i]))) continue;
      if (timesAll(search_) && std::isfinite(bestSeconds()) && now() - begun_ > searchSeconds(search_)) {
        result_.cutShort = true;
        return;
      }
      progress_.report(double(i) / double(all.size()), describe(all[i]));
      timeOne(i);
    }
  }

 private:
  // Plug-ins are timed outside the search's time limit.
  void addPlugins() {
    const double start = now();
    candidates_.addPlugins();
    begun_ += now() - start;
  }

  // True if a candidate is not worth its time: making it, measuring its two errors and running it
  // twice should take longer than the rest of the search's time, or it should be slower than the
  // best.
  bool isSkipped(const Candidate& c) const {
    if (timesAll(search_)) return false;
    const CostParts& p = c.predictedParts;
    const bool tooLong =
        !isExact(c.path.transform) &&  // which are timed in part
        now() - begun_ + p.plan + p.points + runsOfCandidate * p.execution > searchSeconds(search_);
    return tooLong || (!search_.nufft.mustTime && c.predictedSeconds > skipIfPredictedSlower * bestSeconds());
  }

  double bestSeconds() const {
    double best = HUGE_VAL;
    for (const Candidate& c : result_.candidates)
      if (c.timed() && c.refused.empty()) best = std::min(best, c.cost());
    return best;
  }

  // Times a candidate, with more segments if these are too few. The vector's candidates may move.
  void timeOne(std::size_t index) {
    TimingPolicy policy;
    policy.trials = search_.nufft.trials;
    if (!timesAll(search_)) {
      policy.seconds = secondsPerCandidate;
      policy.deadline = search_.nufft.timeLimit > 0 ? 0 : begun_ + searchSeconds(search_);
      if (const double best = bestSeconds(); std::isfinite(best))
        policy.abandonAbove = abandonIfSlower * best;
    }
    double target = search_.nufft.options.accuracy / 2;
    for (int attempt = 1;; ++attempt) {
      Candidate c = result_.candidates[index];
      backendOf(c).timePath(request_, c, policy, progress_);
      result_.candidates[index] = c;
      if (seen_) seen_(c);
      const bool isOff = !c.refused.empty() && c.measuredError.has_value();
      if (!isOff || attempt == maxAttempts || !candidates_.moreSegments(c, target /= maxAttempts)) return;
      result_.candidates.push_back(std::move(c));
      index = result_.candidates.size() - 1;
    }
  }

  TransformBackend& backendOf(const Candidate& c) const {
    return **std::find_if(backends_.begin(), backends_.end(),
                          [&](const TransformBackend* b) { return b->name() == c.backend; });
  }

  const PathSearchRequest& search_;
  TuneResult& result_;
  const Progress& progress_;
  const std::function<void(const Candidate&)>& seen_;
  double begun_ = now();
  std::vector<TransformBackend*> backends_;
  PathCandidates candidates_;
  PathRequest request_;
};

// True if the field matters less than half of the accuracy; the other half is left to the NUFFT.
bool isTooWeak(const PathSearchRequest& request, const GdftProblem& exact) {
  return errorWithoutField(exact) <= request.nufft.options.accuracy / 2;
}

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
    withoutField = "Without the field the error would be " + numberText(errorWithoutField(search.exact()), 2);
    if (isTooWeak(request, search.exact())) {
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
    if (wisdom && best.timed() && !result.cancelled)
      rememberPath(plain, request.problem, keyed, result, *wisdom);
  }
  result.reason = reasonFor(result, keyed) + untimedText(result);
  if (!withoutField.empty()) result.reason += ". " + withoutField;
  result.seconds = now() - start;
  return result;
}

TuneEstimate estimatePaths(std::span<TransformBackend* const> backends, const PathSearchRequest& request,
                           Wisdom* wisdom, const Progress& progress) {
  const std::vector<NufftBackend*> plain(backends.begin(), backends.end());
  TuneResult found;
  PathCandidates candidates(backends, request, nullptr, found, progress, true);
  if (request.problem.transform == TransformKind::automatic && isTooWeak(request, candidates.exact()))
    return estimateTuning(plain, request.nufft, wisdom, progress);
  TuneEstimate totalEstimate;
  totalEstimate.effort = request.nufft.effort;
  totalEstimate.timeLimit = request.nufft.timeLimit;
  TuneRequest keyed = request.nufft;
  keyed.pathClass = pathClass(request.problem, candidates.exact());
  totalEstimate.isRemembered = wisdom && recalledPath(plain, request.problem, keyed, *wisdom);
  if (totalEstimate.isRemembered) return totalEstimate;
  candidates.add();
  for (const auto& [backend, tuning] : candidates.tunings()) {
    NufftBackend* one = backend;
    const TuneEstimate nufft =
        estimateTuning(std::span<NufftBackend* const>(&one, 1), tuning, wisdom, progress);
    totalEstimate.plans += nufft.plans;
    totalEstimate.earlier += nufft.earlier;
    totalEstimate.seconds += nufft.seconds;
  }
  for (const Candidate& c : found.candidates) {
    if (!c.refused.empty()) continue;
    ++totalEstimate.plans;
    const double runs = runsOfCandidate * c.predictedParts.execution;
    totalEstimate.seconds += c.predictedParts.plan + c.predictedParts.points +
                             (isExact(c.path.transform) ? std::min(runs, maxExactSeconds) : runs);
  }
  totalEstimate.seconds = std::min(totalEstimate.seconds, searchSeconds(request));
  return totalEstimate;
}

}  // namespace spokelab
