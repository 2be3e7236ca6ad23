#include "engine/recon/sense/paths/path_wisdom.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/candidates.h"

namespace spokelab {
namespace {

bool runsHere(std::span<NufftBackend* const> backends, const TuneRequest& keyed, const Candidate& c) {
  if (!c.timed() || c.path.transform == TransformKind::automatic || !backendNamed(backends, c.backend))
    return false;
  try {
    if (!isExact(c.path.transform) && !isPlugin(c.backend)) resolveOptions(keyed.problem, c.options);
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace

std::string pathClass(const SenseProblem& p, const GdftProblem& exact) {
  double phase = 0;
  if (!exact.field.empty() && !exact.times.empty()) {
    const auto [low, high] = std::minmax_element(exact.field.begin(), exact.field.end());
    const auto [first, last] = std::minmax_element(exact.times.begin(), exact.times.end());
    phase = (*high - *low) * (*last - *first);
  }
  return std::string(transformName(p.transform)) + ", " + std::string(interpolatorName(p.interpolator)) +
         ", " + std::to_string(p.segments) + " segments, " + std::to_string(p.convolutions) +
         " convolutions, 2^" + std::to_string(phase > 0 ? int(std::lround(std::log2(phase))) : 0) + " rad" +
         (exact.decay.empty() ? "" : ", decay") + (exact.forms.empty() ? "" : ", second order");
}

std::optional<Candidate> recalledPath(std::span<NufftBackend* const> backends, const SenseProblem& problem,
                                      const TuneRequest& keyed, const Wisdom& wisdom) {
  for (const TuneEffort effort : {TuneEffort::exhaustive, TuneEffort::measure, TuneEffort::estimate}) {
    if (effort < keyed.effort) break;
    TuneRequest asked = keyed;
    asked.effort = effort;
    std::optional<Candidate> c = wisdom.find(Wisdom::key(backends, asked));
    if (!c || !runsHere(backends, keyed, *c)) continue;
    c->path.segments = problem.segments;
    c->path.convolutions = problem.convolutions;
    c->seconds = c->parts().whole(keyed.workload);
    return c;
  }
  return std::nullopt;
}

void rememberPath(std::span<NufftBackend* const> backends, const SenseProblem& problem,
                  const TuneRequest& keyed, const TuneResult& result, Wisdom& wisdom) {
  const Candidate& best = result.candidates[std::size_t(result.best)];
  TuneRequest asked = keyed;
  if (result.cutShort) {
    asked.effort = TuneEffort::measure;
    const std::optional<Candidate> known = recalledPath(backends, problem, asked, wisdom);
    if (known && known->seconds <= best.cost()) return;
  }
  wisdom.remember(Wisdom::key(backends, asked), best);
}

}  // namespace spokelab
