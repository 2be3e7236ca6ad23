#include "engine/nufft/tune/search/search.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/cost_model.h"
#include "engine/nufft/tune/fixed/estimate.h"
#include "engine/nufft/tune/plugins/tried_plugin.h"
#include "engine/nufft/tune/refinements.h"
#include "engine/nufft/tune/search/prospects.h"
#include "engine/nufft/tune/search/search_record.h"
#include "engine/nufft/tune/timing.h"

namespace spokelab {
namespace {

// Measure's time budget is this number of runs of the best plan so far, within bounds.
constexpr double measureRuns = 16;
constexpr double minSearchSeconds = 0.5;
constexpr double maxSearchSeconds = 0.9;
constexpr double maxSearchSecondsTimed = 5;  // if mustTime
// Share of the upper bound that the search gets even if making the candidates took long.
constexpr double minSearchShare = 0.4;
// Share of the budget reserved for the finals.
constexpr double finalsShare = 0.3;
// Measure repeats a candidate for this time; the finals repeat the best again.
constexpr double measureSecondsPerCandidate = 0.01;
// A candidate whose first run is slower than the best by this factor is not repeated.
constexpr double abandonIfSlower = 1.5;
// A shorter GPU run that is abandoned may have loaded its kernels' code.
constexpr double loadingSeconds = 0.05;
// Candidates within this ratio of the best count as tied: they reach the finals, and an exhaustive
// search refines them.
constexpr double tieRatio = 1.1;
constexpr double minRuns = 2;  // one of them warms up
constexpr std::size_t maxFinalists = 4;
constexpr int finalRounds = 3;
// Candidates timed before the safe ones, if time allows.
constexpr std::size_t timedBeforeSafe = 2;
// Time for each safe candidate if the search has none left.
constexpr double safeSeconds = 0.1;
// Starts a candidate only if this share of the longest one's time is left.
constexpr double minTimeLeft = 0.5;

// Seconds to touch new memory for the first time.
double newMemorySeconds(const TuneRequest& request, double bytes) {
  constexpr double bytesPerSecondOfThread = 8e8;
  const int threads = request.options.threads > 0 ? request.options.threads : hardwareThreads();
  return bytes / (bytesPerSecondOfThread * threads);
}

// Measure's own upper bound.
double measureSeconds(const TuneRequest& request) {
  if (request.maxSearchSeconds > 0) return request.maxSearchSeconds;
  return request.mustTime ? maxSearchSecondsTimed : maxSearchSeconds;
}

class Search {
 public:
  Search(std::span<NufftBackend* const> backends, const TuneRequest& request, TuneResult& result,
         SearchRecord* record, const Progress& progress, const std::function<void(const Candidate&)>& seen,
         double preparedSeconds)
      : backends_(backends),
        request_(request),
        result_(result),
        record_(record),
        progress_(progress),
        seen_(seen),
        preparedSeconds_(preparedSeconds) {}

  void run() {
    for (std::size_t done = takeEarlier(); done < result_.candidates.size(); ++done) {
      const auto timed = std::span(result_.candidates).first(done),
                 rest = std::span(result_.candidates).subspan(done);
      predictRest(request_, timed, rest);
      const double best = bestSeconds();
      const double elapsed = now() - begun_;
      const double limit = budgetSeconds(best);
      const double explore = std::isinf(limit) ? limit : limit * (1 - finalsShare);
      const bool mayStop = request_.effort == TuneEffort::measure && best < HUGE_VAL;
      const bool isOver = mayStop && elapsed + minTimeLeft * longestSeconds_ > explore;
      // Time the safe plans in any case: the choice is then never worse than they are.
      const bool isSafe =
          (isOver || done >= timedBeforeSafe) && mayStop && bringSafeForward(request_, timed, rest);
      if (isOver && !isSafe) break;
      if (!isSafe && !bringForward(request_, timed, rest,
                                   !mayStop || elapsed + minTimeLeft * longestPlanning_ <= explore))
        break;
      Candidate& c = rest.front();
      if (done > 0 && !isSafe && timeIsUp(elapsed > limit)) break;
      if (tooLong(c, elapsed, isSafe)) continue;
      progress_.report(progressShare(done, elapsed, explore), describe(c) + placeOf(done, elapsed));
      double& longest = needsLibraryPlan(request_, timed, c) ? longestPlanning_ : longestSeconds_;
      timeOne(c, best, isSafe);
      // The first candidate also loads code: count only the parts that the next one will take.
      const double took =
          done > 0 ? now() - begun_ - elapsed : c.setPointsSeconds + minRuns * c.timings.total;
      longest = std::max(longest, took);
    }
    refine(begun_ + budgetSeconds(bestSeconds()));
    timePlugins();
    finals(begun_ + budgetSeconds(bestSeconds()));
    predictErrors();
  }

 private:
  std::size_t takeEarlier() {
    if (!record_) return 0;
    auto& candidates = result_.candidates;
    const auto untimed =
        std::stable_partition(candidates.begin(), candidates.end(),
                              [this](const Candidate& c) { return record_->find(c) != nullptr; });
    for (auto c = candidates.begin(); c != untimed; ++c) timeOne(*c, HUGE_VAL);
    return std::size_t(untimed - candidates.begin());
  }

  double maxSeconds() const {
    const double most = measureSeconds(request_);
    return std::max(minSearchShare * most, most - preparedSeconds_);
  }
  double minSeconds() const { return std::min(minSearchSeconds, maxSeconds()); }

  double budgetSeconds(double best) const {
    if (request_.timeLimit > 0) return request_.timeLimit;
    if (request_.effort == TuneEffort::exhaustive) return HUGE_VAL;
    return std::isinf(best) ? minSeconds() : std::clamp(measureRuns * best, minSeconds(), maxSeconds());
  }

  // True if timing a candidate should exceed Measure's remaining time.
  bool tooLong(const Candidate& c, double elapsed, bool isSafe) const {
    if (request_.effort != TuneEffort::measure || request_.timeLimit > 0 || request_.mustTime) return false;
    const CostParts& p = c.predictedParts;
    const double runs = minRuns + (request_.workload.direction == Direction::normal ? 1 : 0);
    const double remainingSeconds = std::max(maxSeconds() - elapsed, isSafe ? safeSeconds : 0.0);
    return firstSeconds(c) + p.plan + p.points + runs * (p.execution + p.transfer) > remainingSeconds;
  }

  // The first candidate makes random data, and on the CPU new memory. A GPU's arrays have neither.
  double firstSeconds(const Candidate& c) const {
    const bool ofDevice = c.backend != "cpu" && request_.workload.onDevice;
    if (data_ || (ofDevice && request_.workload.direction != Direction::normal)) return 0;
    double bytes = timingBytes(request_);
    if (c.backend == "cpu") try {
        bytes += double(backendNamed(backends_, c.backend)
                            ->estimateMemory(request_.problem, c.options,
                                             std::int64_t(request_.points.size()) / request_.problem.dims));
      } catch (const Error&) {
        return 0;  // timing the candidate will give the reason
      }
    return newMemorySeconds(request_, bytes);
  }

  // Passes isLate on, and records that an exhaustive search was cut short.
  bool timeIsUp(bool isLate) {
    if (isLate) result_.cutShort = request_.effort == TuneEffort::exhaustive;
    return isLate;
  }

  // The progress bar's position, which never goes back although the budget changes.
  double progressShare(std::size_t done, double elapsed, double explore) {
    const double counted = double(done) / double(result_.candidates.size());
    const double s = std::isinf(explore) ? counted : std::max(counted, elapsed / explore);
    return shownShare_ = std::max(shownShare_, std::min(1.0, s));
  }

  // " (3 of 214, about 40 s left)" if all are timed, without refinements.
  std::string placeOf(std::size_t done, double elapsed) const {
    if (request_.effort != TuneEffort::exhaustive) return {};
    TimingPolicy policy;
    policy.trials = request_.trials;
    double left = 0;
    for (std::size_t i = done; i < result_.candidates.size(); ++i)
      left += expectedSeconds(request_, result_.candidates[i], policy);
    if (request_.timeLimit > 0) left = std::min(left, std::max(0.0, request_.timeLimit - elapsed));
    constexpr int digits = 2;
    return " (" + std::to_string(done + 1) + " of " + std::to_string(result_.candidates.size()) + ", about " +
           secondsText(left, digits) + " left)";
  }

  double bestSeconds() const {
    double best = HUGE_VAL;
    for (const Candidate& c : result_.candidates)
      if (c.timed()) best = std::min(best, c.cost());
    return best;
  }

  void timeOne(Candidate& c, double best, bool isSafe = false) {
    if (const Candidate* earlier = record_ ? record_->find(c) : nullptr) {
      c = *earlier;
      ++result_.timedEarlier;
    } else {
      const Candidate proposed = c;
      timeNow(c, best, isSafe);
      if (record_) record_->add(proposed, c);
    }
    CostModel::shared().learn(request_, c);
    if (seen_) seen_(c);
  }

  void timeNow(Candidate& c, double best, bool isSafe) {
    TimingPolicy policy;
    policy.trials = request_.trials;
    if (request_.effort == TuneEffort::measure) {
      policy.seconds = measureSecondsPerCandidate;
      policy.errorsLater = true;
      policy.deadline = request_.timeLimit > 0 || isPlugin(c.backend) ? 0 : begun_ + maxSeconds();
      if (policy.deadline > 0 && isSafe) policy.deadline = std::max(policy.deadline, now() + safeSeconds);
    }
    policy.abandonAbove =
        std::isinf(best) || request_.effort == TuneEffort::exhaustive
            ? 0
            : abandonIfSlower * std::min(best, bestBesideCopies(request_, result_.candidates, c.backend));
    tuneToeplitz(c);
    if (!data_) data_.emplace(request_);
    const Candidate proposed = c;
    timeCandidate(*backendNamed(backends_, c.backend), request_, c, *data_, policy, progress_);
    if (!mayHaveLoaded(proposed)) return;
    const bool abandoned = policy.abandonAbove > 0 && c.repeats == 1 && c.timings.total > policy.abandonAbove;
    if (!abandoned || c.timings.total > loadingSeconds) return;
    const std::optional<double> error = c.measuredError;
    c = proposed;
    c.measuredError = error;
    timeCandidate(*backendNamed(backends_, c.backend), request_, c, *data_, policy, progress_);
  }

  // True for the first candidate with these kernels, whose loading the model would book to all.
  bool mayHaveLoaded(const Candidate& c) {
    if (c.backend == "cpu" || isPlugin(c.backend)) return false;
    return loaded_
        .emplace(c.options.spread, c.options.interpolate, c.options.normal, std::ceil(c.options.width))
        .second;
  }

  // Chooses the fastest ratio of the CPU's padded Toeplitz form, whose timing needs no points.
  void tuneToeplitz(Candidate& c) {
    if (c.backend != "cpu" || request_.workload.direction != Direction::normal ||
        c.options.toeplitzAlpha != 0 || c.options.normal != NormalMethod::toeplitz)
      return;
    const std::int64_t points = std::int64_t(request_.points.size()) / request_.problem.dims;
    try {
      if (!allows(request_, c.backend,
                  backendNamed(backends_, c.backend)->estimateMemory(request_.problem, c.options, points)))
        return;  // timing the candidate will refuse it
      c.options.toeplitzAlpha = fastestToeplitzAlpha(request_.problem, c.options.threads);
    } catch (const Error&) {
      return;  // timing the candidate will give the reason
    }
  }

  // Refines the source of kernel values, the scheduler and the bins. A refinement that wins is
  // refined again, as gains may add up. An exhaustive search refines all tied candidates. Other
  // searches refine the best one, and try its winning refinement on the tied candidates, since a
  // wider kernel may gain more from it.
  void refine(double deadline) {
    std::vector<Candidate> winners;
    for (const Candidate* c : fastestFirst()) winners.push_back(*c);
    if (winners.empty()) return;
    const double best = winners.front().cost();
    std::erase_if(winners, [&](const Candidate& c) { return c.cost() > tieRatio * best; });
    const bool all = request_.effort == TuneEffort::exhaustive;
    for (std::size_t i = 0; i < (all ? winners.size() : 1); ++i)
      while (std::optional<Candidate> better = refined(winners[i], deadline)) winners[i] = *better;
    const Candidate& winner = winners.front();
    if (all || winner.cost() == best) return;
    for (std::size_t i = 1; i < std::min(winners.size(), maxFinalists); ++i) {
      NufftOptions options = winner.options;
      options.alpha = winners[i].options.alpha;
      options.width = winners[i].options.width;
      options.kernel = winners[i].options.kernel;
      if (winners[i].backend != winner.backend || options == winner.options) continue;
      if (now() + minTimeLeft * longestSeconds_ > deadline) return;
      timeVariant(winners[i], options, winner.cost());
    }
  }

  // The fastest of a candidate's refinements that were not timed before; nothing if none is faster.
  std::optional<Candidate> refined(const Candidate& winner, double deadline) {
    std::optional<Candidate> best;
    for (const NufftOptions& options : refinements(request_, winner)) {
      if (options == winner.options || std::find(refined_.begin(), refined_.end(), options) != refined_.end())
        continue;
      if (timeIsUp(now() + minTimeLeft * longestSeconds_ > deadline)) return std::nullopt;
      refined_.push_back(options);
      const Candidate c = timeVariant(winner, options, winner.cost());
      if (c.timed() && faster(c, best ? *best : winner)) best = c;
    }
    return best;
  }

  // Times plug-ins outside the budget: no model predicts them. Skipped if our plans take too long.
  void timePlugins() {
    if (!result_.candidates.empty() && std::isinf(bestSeconds())) return;
    for (Candidate& c : pluginCandidates(backends_, request_)) {
      const double start = now();
      progress_.report(1, describe(c));
      timeOne(c, bestSeconds());
      result_.candidates.push_back(std::move(c));
      begun_ += now() - start;
    }
  }

  Candidate timeVariant(const Candidate& of, const NufftOptions& options, double best) {
    Candidate c = of;
    c.options = options;
    c.timings = {};
    c.measuredError.reset();
    progress_.report(1, describe(c));
    timeOne(c, best);
    result_.candidates.push_back(c);
    return c;
  }

  static bool faster(const Candidate& a, const Candidate& b) { return a.cost() < b.cost(); }
  std::vector<Candidate*> fastestFirst() {
    std::vector<Candidate*> timed;
    for (Candidate& c : result_.candidates)
      if (c.timed()) timed.push_back(&c);
    std::ranges::sort(timed, {}, [](const Candidate* c) { return c->cost(); });
    return timed;
  }

  // Predicts errors of normal operators. A prediction takes as long as some runs, so Measure makes
  // them last, of the fastest first. Does nothing if no plan's normal power was found in time.
  void predictErrors() {
    for (Candidate* c : fastestFirst()) {
      if (c->predictedNormalError > 0 || !data_) continue;
      predictErrorOf(request_, *c, *data_);
      if (seen_ && c->predictedNormalError > 0) seen_(*c);
      if (now() - begun_ > maxSeconds()) return;
    }
  }

  // Times tied candidates again in turns, by fastest median: a disturbance decides less.
  void finals(double deadline) {
    const double tied = tieRatio * bestSeconds();
    std::vector<Candidate*> best = fastestFirst();
    std::erase_if(best, [&](const Candidate* c) { return c->cost() > tied; });
    if (best.size() > maxFinalists) best.resize(maxFinalists);
    if (best.size() < 2 || request_.trials > 0) return;
    TimingPolicy policy;
    policy.timesOnly = true;
    for (int round = 0; round < finalRounds; ++round)
      for (Candidate* c : best) {
        if (now() + minTimeLeft * longestSeconds_ > deadline) return;
        progress_.report(1, describe(*c));
        if (!data_) data_.emplace(request_);
        Candidate again = *c;
        again.refused.clear();
        timeCandidate(*backendNamed(backends_, c->backend), request_, again, *data_, policy, progress_);
        if (!again.refused.empty() || again.cost() > c->cost()) continue;
        *c = again;
        if (seen_) seen_(*c);
      }
  }

  std::span<NufftBackend* const> backends_;
  const TuneRequest& request_;
  TuneResult& result_;
  SearchRecord* record_;
  const Progress& progress_;
  const std::function<void(const Candidate&)>& seen_;
  std::optional<TimingData> data_;  // made for the first candidate that is timed
  std::set<std::tuple<Method, Method, NormalMethod, double>> loaded_;  // kernels that have run
  std::vector<NufftOptions> refined_;  // refinements that were timed, as they were proposed
  // Longest time of a candidate but the first, and of one whose FFT a GPU library planned.
  double longestSeconds_ = 0, longestPlanning_ = 0;
  double shownShare_ = 0;
  double preparedSeconds_;  // before the search: to make the candidates
  double begun_ = now();
};

}  // namespace

double longestSearchSeconds(const TuneRequest& request) {
  if (request.timeLimit > 0) return request.timeLimit;
  return request.effort == TuneEffort::exhaustive ? HUGE_VAL : measureSeconds(request);
}

void searchPlans(std::span<NufftBackend* const> backends, const TuneRequest& request, TuneResult& result,
                 double preparedSeconds, SearchRecord* record, const Progress& progress,
                 const std::function<void(const Candidate&)>& seen) {
  Search(backends, request, result, record, progress, seen, preparedSeconds).run();
}

}  // namespace spokelab
