#include "engine/nufft/tune/cost_model.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/core/measure/rank_test.h"
#include "engine/nufft/plugin/plugin_info.h"

namespace spokelab {
namespace {

constexpr std::size_t maxObservations = 48;  // a key
constexpr std::size_t maxRatios = 25;        // a decade
// Added to logarithmic distances, so that observations of almost the same work count alike.
constexpr double minLogDistance = 0.05;
// An observation is trusted to the first factor of its work, and not at all beyond the second.
const double trustedLog = std::log(5.0), farLog = std::log(20.0);
// Bounds the correction of the fit by observations nearby.
const double maxCorrectionLog = std::log(4.0);
// The time of a launch, or of a call on a CPU. Shorter guesses say nothing about a rate.
constexpr double launchSeconds = 1e-5;
constexpr double leastDecade = -5;  // power of ten of the guessed seconds

WorkTerms termsOf(const TuneRequest& request, const Candidate& candidate) {
  const std::int64_t points = std::int64_t(request.points.size()) / request.problem.dims;
  return workTerms(request.problem, candidate.backend, candidate.options, candidate.grid,
                   request.workload.direction, points);
}

// A few coordinates tell two sets of points apart.
std::uint64_t hashOf(const TuneRequest& request) {
  constexpr std::uint64_t start = 14695981039346656037u, prime = 1099511628211u;  // of FNV-1a
  constexpr std::size_t sampled = 16;
  std::uint64_t hash = start;
  const auto add = [&](std::uint64_t value) {
    hash = (hash ^ value) * prime;
    hash ^= hash >> 32;  // the product moves bits upwards only
  };
  for (const std::int64_t n : request.problem.size) add(std::uint64_t(n));
  add(std::uint64_t(request.problem.batch));
  add(std::uint64_t(request.problem.precision));
  add(request.points.size());
  const std::size_t step = std::max<std::size_t>(1, request.points.size() / sampled);
  for (std::size_t i = 0; i < request.points.size(); i += step)
    add(std::bit_cast<std::uint64_t>(request.points[i]));
  return hash;
}

// A mean whose weights fall with the square of the distance in work.
class NearMean {
 public:
  void add(double logDistance, double value) {
    const double distance = logDistance + minLogDistance, weight = 1 / (distance * distance);
    weights_ += weight;
    sum_ += weight * value;
  }
  double mean() const { return sum_ / weights_; }

 private:
  double weights_ = 0, sum_ = 0;
};

}  // namespace

CostModel& CostModel::shared() {
  static CostModel model;
  return model;
}

// The guess, times the median ratio of measured to guessed time of the device at such work.
double CostModel::scaledGuess(const WorkTerm& term) const {
  const double guess = term.work * term.guessedSecondsPerUnit;
  const auto found = ratios_.find(term.scaledWith);
  if (term.scaledWith.empty() || found == ratios_.end() || !(guess > 0)) return guess;
  const int guessDecade = int(std::floor(std::log10(guess) - leastDecade));
  for (const int away : {0, -1, 1}) {
    const int decade = guessDecade + away;
    if (decade < 0 || decade >= int(decades)) continue;
    const std::vector<double>& ratios = found->second[std::size_t(decade)];
    if (!ratios.empty()) return guess * std::exp(medianOf(ratios));
  }
  return guess;
}

CostModel::Predicted CostModel::seconds(const WorkTerm& term, std::uint64_t problem, bool guess) const {
  if (term.work <= 0) return {0, 0};
  if (guess) return {term.work * term.guessedSecondsPerUnit, term.work * term.guessedSecondsPerUnit};
  const double scaled = scaledGuess(term);
  const auto found = learnt_.find(term.key);
  if (found == learnt_.end()) return {scaled, scaled};
  const Learnt& learnt = found->second;
  const double work = std::log(term.work);
  double nearest = HUGE_VAL, nearestOwn = HUGE_VAL;
  for (const Observation& o : learnt.observations) {
    nearest = std::min(nearest, std::abs(work - o.work));
    if (o.problem == problem) nearestOwn = std::min(nearestOwn, std::abs(work - o.work));
  }
  const bool sameProblemOnly = nearestOwn <= trustedLog;
  NearMean correction;
  for (const Observation& o : learnt.observations) {
    if (sameProblemOnly && o.problem != problem) continue;
    const double off = o.seconds - std::log(learnt.constant + learnt.rate * std::exp(o.work));
    // Only observations of other problems are bounded, because their points may have crowded.
    correction.add(std::abs(work - o.work),
                   sameProblemOnly ? off : std::clamp(off, -maxCorrectionLog, maxCorrectionLog));
  }
  const double fitted = (learnt.constant + learnt.rate * term.work) * std::exp(correction.mean());
  const double trust =
      std::clamp((farLog - (sameProblemOnly ? nearestOwn : nearest)) / (farLog - trustedLog), 0.0, 1.0);
  const double seconds = std::exp(trust * std::log(fitted) + (1 - trust) * std::log(scaled));
  return {seconds, sameProblemOnly ? seconds : std::min(seconds, scaled)};
}

void CostModel::observe(const WorkTerm& term, std::uint64_t problem, double seconds) {
  if (term.work <= 0 || !(seconds > 0)) return;
  Learnt& learnt = learnt_[term.key];
  std::vector<Observation>& observations = learnt.observations;
  if (observations.size() >= maxObservations) observations.erase(observations.begin());
  observations.push_back({std::log(term.work), std::log(seconds), problem});
  // Tries several constants up to the shortest time seen, each with the median of the rates, and
  // keeps the pair with the least mean of |log| errors: squares would let one outlier decide.
  constexpr double minSpan = 4;  // ratio of work that separates a constant from a rate
  const auto [low, high] = std::ranges::minmax(observations, {}, &Observation::work);
  const bool tells = high.work - low.work >= std::log(minSpan);
  double least = HUGE_VAL, bestOff = HUGE_VAL;
  for (const Observation& o : observations) least = std::min(least, std::exp(o.seconds));
  for (const double share : {0.0, 0.25, 0.5, 0.75, 0.9}) {
    if (share > 0 && !tells) break;
    const double constant = share * least;
    std::vector<double> rates;
    for (const Observation& o : observations)
      rates.push_back((std::exp(o.seconds) - constant) / std::exp(o.work));
    const double rate = medianOf(std::move(rates));
    double off = 0;
    for (const Observation& o : observations)
      off += std::abs(o.seconds - std::log(constant + rate * std::exp(o.work)));
    if (off >= bestOff * (1 - 1e-9)) continue;
    bestOff = off;
    learnt.constant = constant;
    learnt.rate = rate;
  }
  const double guess = term.work * term.guessedSecondsPerUnit;
  if (term.scaledWith.empty() || guess < launchSeconds) return;
  const int decade = int(std::floor(std::log10(guess) - leastDecade));
  if (decade < 0 || decade >= int(decades)) return;
  std::vector<double>& ratios = ratios_[term.scaledWith][std::size_t(decade)];
  if (ratios.size() >= maxRatios) ratios.erase(ratios.begin());
  ratios.push_back(std::log(seconds / guess));
}

CostModel::Costs CostModel::costs(const TuneRequest& request, const Candidate& candidate) const {
  const WorkTerms t = termsOf(request, candidate);
  const bool guess = request.options.reproducible;
  const std::uint64_t problem = hashOf(request);
  const std::lock_guard lock(mutex_);
  Costs costs;
  const auto add = [&](double CostParts::*part, const WorkTerm& term) {
    const Predicted p = seconds(term, problem, guess);
    costs.predicted.*part += p.seconds;
    costs.promised.*part += p.promised;
  };
  add(&CostParts::plan, t.plan);
  add(&CostParts::points, t.points);
  for (const WorkTerm* term : {&t.spread, &t.interpolate, &t.fft, &t.rest}) add(&CostParts::execution, *term);
  add(&CostParts::transfer, t.transfer);
  return costs;
}

void CostModel::learn(const TuneRequest& request, const Candidate& candidate) {
  if (!candidate.timed() || isPlugin(candidate.backend)) return;
  const WorkTerms t = termsOf(request, candidate);
  const StageTimings& s = candidate.timings;
  const std::uint64_t problem = hashOf(request);
  const std::lock_guard lock(mutex_);
  observe(t.spread, problem, s[Stage::spread]);
  observe(t.interpolate, problem, s[Stage::interpolate]);
  observe(t.fft, problem, s.fft());
  observe(t.rest, problem, s.rest());
  observe(t.plan, problem, candidate.planSeconds);
  observe(t.points, problem, candidate.setPointsSeconds);
  observe(t.transfer, problem, candidate.transferSeconds);
}

// The model has terms of work for our plans only.
void predictCost(const TuneRequest& request, Candidate& candidate) {
  if (isPlugin(candidate.backend)) return;
  const CostModel::Costs costs = CostModel::shared().costs(request, candidate);
  candidate.predictedParts = costs.predicted;
  candidate.predictedSeconds = candidate.predictedParts.whole(request.workload);
  candidate.promisedParts = costs.promised;
  candidate.promisedSeconds = candidate.promisedParts.whole(request.workload);
}

void CostModel::forget() {
  const std::lock_guard lock(mutex_);
  learnt_.clear();
  ratios_.clear();
}

}  // namespace spokelab
