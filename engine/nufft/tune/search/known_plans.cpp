#include "engine/nufft/tune/search/known_plans.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/fixed/estimate.h"

namespace spokelab {
namespace {

// True if a remembered candidate can run: backend present, the same grid, enough memory.
bool fits(std::span<NufftBackend* const> backends, const TuneRequest& request, const Candidate& c) {
  NufftBackend* backend = backendNamed(backends, c.backend);
  if (!backend || !c.timed()) return false;
  try {
    const std::int64_t points = std::int64_t(request.points.size()) / request.problem.dims;
    if (isPlugin(c.backend))
      return c.options.accuracy <= request.options.accuracy &&
             allows(request, c.backend, backend->estimateMemory(request.problem, c.options, points));
    const NufftOptions resolved = resolveOptions(request.problem, c.options);
    const std::int64_t memory = backend->estimateMemory(request.problem, resolved, points);
    return gridSizeOn(c.backend, request.problem, resolved.alpha, resolved.width, resolved.axisAlpha) ==
               c.grid &&
           resolved.accuracy <= request.options.accuracy && allows(request, c.backend, memory);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::optional<Candidate> recalledPlan(std::span<NufftBackend* const> backends, const TuneRequest& request,
                                      const Wisdom& wisdom) {
  for (const TuneEffort effort : {TuneEffort::exhaustive, TuneEffort::measure}) {
    if (effort < request.effort) break;
    TuneRequest withEffort = request;
    withEffort.effort = effort;
    std::optional<Candidate> c = wisdom.find(Wisdom::key(backends, withEffort));
    if (!c || !fits(backends, request, *c)) continue;
    // A search with much more time than the remembered one may find a faster plan.
    constexpr double muchLonger = 2;
    if (effort == TuneEffort::measure && c->searchSeconds > 0 &&
        request.timeLimit > muchLonger * c->searchSeconds)
      continue;
    c->seconds = c->parts().whole(request.workload);  // executions differ within a class
    return c;
  }
  return std::nullopt;
}

void rememberPlan(std::span<NufftBackend* const> backends, const TuneRequest& request,
                  const TuneResult& result, Wisdom& wisdom) {
  const Candidate& best = result.candidates[std::size_t(result.best)];
  TuneRequest asked = request;
  if (result.cutShort) asked.effort = TuneEffort::measure;
  const std::string key = Wisdom::key(backends, asked);
  // An earlier search's plan goes only if it is beaten; else it has passed the longer search.
  if (asked.effort == TuneEffort::measure)
    if (std::optional<Candidate> known = wisdom.find(key); known && fits(backends, asked, *known))
      if (known->parts().whole(request.workload) <= best.cost()) {
        known->searchSeconds = std::max(known->searchSeconds, best.searchSeconds);
        return wisdom.remember(key, *known);
      }
  wisdom.remember(key, best);
}

}  // namespace spokelab
