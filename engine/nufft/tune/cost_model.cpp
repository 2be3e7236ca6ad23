#include "engine/nufft/tune/cost_model.h"

#include <cmath>

#include "engine/nufft/plugin/plugin_info.h"

namespace spokelab {
namespace {

constexpr std::size_t maxObservations = 48;  // of one key
// Added to logarithmic distances, so that observations of almost the same work count alike.
constexpr double minLogDistance = 0.05;

WorkTerms termsOf(const TuneRequest& request, const Candidate& candidate) {
  const std::int64_t points = std::int64_t(request.points.size()) / request.problem.dims;
  return workTerms(request.problem, candidate.backend, candidate.options, candidate.grid,
                   request.workload.direction, points);
}

}  // namespace

CostModel& CostModel::shared() {
  static CostModel model;
  return model;
}

// The mean of what was observed, weighted by how near the observed amount of work is.
double CostModel::seconds(const WorkTerm& term, bool guess) const {
  if (term.work <= 0) return 0;
  const auto found = observations_.find(term.key);
  if (guess || found == observations_.end()) return term.work * term.guessedSecondsPerUnit;
  double weights = 0, sum = 0;
  const double work = std::log(term.work);
  for (const Observation& o : found->second) {
    const double distance = std::abs(work - o.work) + minLogDistance;
    const double weight = 1 / (distance * distance);
    weights += weight;
    sum += weight * o.secondsPerUnit;
  }
  return term.work * std::exp(sum / weights);
}

void CostModel::observe(const WorkTerm& term, double seconds) {
  if (term.work <= 0 || !(seconds > 0)) return;
  auto& list = observations_[term.key];
  if (list.size() >= maxObservations) list.erase(list.begin());
  list.push_back({std::log(term.work), std::log(seconds / term.work)});
}

CostParts CostModel::predict(const TuneRequest& request, const Candidate& candidate) const {
  const WorkTerms t = termsOf(request, candidate);
  const bool guess = request.options.reproducible;
  const std::lock_guard lock(mutex_);
  return {seconds(t.plan, guess), seconds(t.points, guess),
          seconds(t.spread, guess) + seconds(t.interpolate, guess) + seconds(t.fft, guess) +
              seconds(t.rest, guess),
          seconds(t.transfer, guess)};
}

void CostModel::learn(const TuneRequest& request, const Candidate& candidate) {
  if (!candidate.timed() || isPlugin(candidate.backend)) return;
  const WorkTerms t = termsOf(request, candidate);
  const StageTimings& s = candidate.timings;
  const std::lock_guard lock(mutex_);
  observe(t.spread, s[Stage::spread]);
  observe(t.interpolate, s[Stage::interpolate]);
  observe(t.fft, s.fft());
  observe(t.rest, s.rest());
  observe(t.plan, candidate.planSeconds);
  observe(t.points, candidate.setPointsSeconds);
  observe(t.transfer, candidate.transferSeconds);
}

// The model knows the work of our plans, and nothing about a plug-in's.
void predictCost(const TuneRequest& request, Candidate& candidate) {
  if (isPlugin(candidate.backend)) return;
  candidate.predictedParts = CostModel::shared().predict(request, candidate);
  candidate.predictedSeconds = candidate.predictedParts.whole(request.workload);
}

void CostModel::forget() {
  const std::lock_guard lock(mutex_);
  observations_.clear();
}

}  // namespace spokelab
