#include "engine/nufft/tune/tune.h"

#include <algorithm>
#include <optional>

#include "engine/core/error.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/fixed/estimate.h"
#include "engine/nufft/tune/fixed/reproducible.h"
#include "engine/nufft/tune/plugins/tried_plugin.h"
#include "engine/nufft/tune/search/known_plans.h"
#include "engine/nufft/tune/search/search.h"
#include "engine/nufft/tune/search/search_record.h"
#include "engine/nufft/tune/tune_reason.h"

namespace spokelab {

TuneResult tune(std::span<NufftBackend* const> backends, const TuneRequest& request, Wisdom* wisdom,
                const Progress& progress, const std::function<void(const Candidate&)>& seen) {
  const double start = now();
  TuneResult result;
  result.workload = request.workload;
  resolveOptions(request.problem, request.options);  // refuses impossible requests, with the reason
  if (request.options.reproducible) return tuneReproducibly(backends, request, wisdom, progress, seen);
  if (wisdom) {
    if (std::optional<Candidate> c = recalledPlan(backends, request, *wisdom)) {
      result.candidates.push_back(std::move(*c));
      result.best = 0;
      result.fromWisdom = true;
      result.reason = reasonFor(result, request);
      if (seen) seen(result.candidates.front());
      result.seconds = now() - start;
      return result;
    }
  }
  result.candidates = enumerateCandidates(backends, request);
  if (request.effort == TuneEffort::estimate) {
    // The model cannot rank a plug-in, so it is chosen only without other candidates.
    if (result.candidates.empty()) result.candidates = pluginCandidates(backends, request);
    chooseByModel(backends, request, result);
  } else {
    std::optional<SearchRecord> record;
    if (wisdom && request.effort == TuneEffort::exhaustive) record.emplace(*wisdom, backends, request);
    try {
      searchPlans(backends, request, result, now() - start, record ? &*record : nullptr, progress, seen);
    } catch (const Cancelled&) {
      result.cancelled = true;
    }
    if (record) result.cancelled || result.cutShort ? record->save() : record->drop();
    result.best = fastest(result, request);
    const auto tried = [](const Candidate& c) { return c.timed() || !c.refused.empty(); };
    if (!result.cancelled && std::none_of(result.candidates.begin(), result.candidates.end(), tried))
      chooseByModel(backends, request, result);  // timing any would have taken too long
    if (result.best >= 0) result.candidates[std::size_t(result.best)].outlook = outlookFor(result, request);
    const bool timed = result.best >= 0 && result.candidates[std::size_t(result.best)].timed();
    constexpr auto maxThinPlans = 2;
    result.isThin = request.effort == TuneEffort::measure && timed &&
                    std::ranges::count_if(result.candidates, tried) <= maxThinPlans &&
                    !std::ranges::all_of(result.candidates, tried);
    if (timed)
      result.candidates[std::size_t(result.best)].searchSeconds = std::max(now() - start, request.timeLimit);
    if (wisdom && timed && !result.cancelled && !result.isThin)
      rememberPlan(backends, request, result, *wisdom);
  }
  if (result.best < 0 && !result.cancelled) {
    const Candidate& first = result.candidates.front();
    throw Error("No plan could run", (isPlugin(first.backend) ? describe(first) + ": " : "") + first.refused,
                "Allow more memory, or choose another backend or method");
  }
  result.reason = reasonFor(result, request);
  result.seconds = now() - start;
  return result;
}

}  // namespace spokelab
