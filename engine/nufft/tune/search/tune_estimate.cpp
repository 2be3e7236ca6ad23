#include "engine/nufft/tune/search/tune_estimate.h"

#include <algorithm>
#include <optional>

#include "engine/core/text.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/plugins/tried_plugin.h"
#include "engine/nufft/tune/search/known_plans.h"
#include "engine/nufft/tune/search/search.h"
#include "engine/nufft/tune/search/search_record.h"
#include "engine/nufft/tune/timing.h"

namespace spokelab {

TuneEstimate estimateTuning(std::span<NufftBackend* const> backends, const TuneRequest& asked,
                            const Wisdom* wisdom, const Progress& progress) {
  TuneRequest request = asked;
  request.options.reproducible = false;  // only the cost of the switch is timed
  resolveOptions(request.problem, request.options);
  progress.checkpoint();
  TuneEstimate estimate;
  estimate.effort = request.effort;
  estimate.timeLimit = request.timeLimit;
  if (wisdom && recalledPlan(backends, request, *wisdom)) {
    estimate.isRemembered = true;
    return estimate;
  }
  const std::vector<Candidate> candidates = enumerateCandidates(backends, request);
  estimate.plans = int(candidates.size() + pluginCandidates(backends, request).size());
  if (request.effort == TuneEffort::estimate) return estimate;
  std::optional<SearchRecord> record;
  if (wisdom && request.effort == TuneEffort::exhaustive) record.emplace(*wisdom, backends, request);
  TimingPolicy policy;
  policy.trials = request.trials;
  for (const Candidate& c : candidates) {
    if (record && record->find(c))
      ++estimate.earlier;
    else
      estimate.seconds += expectedSeconds(request, c, policy);
  }
  estimate.seconds = std::min(estimate.seconds, longestSearchSeconds(request));
  return estimate;
}

std::string estimateText(const TuneEstimate& e) {
  if (e.isRemembered) return "nothing to time: remembered from an earlier search";
  const std::string plans = countText(e.plans, "plan");
  if (e.effort == TuneEffort::estimate) return plans + ", none of which is timed";
  if (e.effort == TuneEffort::measure)
    return plans + ", of which the most promising are timed, within " + durationText(e.seconds);
  const bool isCut = e.timeLimit > 0 && e.seconds >= e.timeLimit;
  return plans +
         (e.earlier > 0 ? ", " + std::to_string(e.earlier) + " of them timed by an earlier search" : "") +
         (isCut ? ", of which " + durationText(e.timeLimit) + ", the time limit, are not enough for all"
                : ", about " + durationText(e.seconds) + ", and some more for the details of the fastest");
}

std::string durationText(double seconds) {
  constexpr double minute = 60, longest = 2 * minute;
  constexpr int digits = 2;
  return seconds < longest ? secondsText(seconds, digits) : numberText(seconds / minute, digits) + " minutes";
}

}  // namespace spokelab
