#include "engine/recon/sense/path_wisdom.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/candidates.h"

namespace spokelab {

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
         (exact.decay.empty() ? "" : ", decay");
}

std::optional<Candidate> recalledPath(std::span<NufftBackend* const> backends, const SenseProblem& problem,
                                      const TuneRequest& keyed, const Wisdom& wisdom) {
  std::optional<Candidate> c = wisdom.find(Wisdom::key(backends, keyed));
  if (!c || !c->timed() || c->path.transform == TransformKind::automatic ||
      !backendNamed(backends, c->backend))
    return std::nullopt;
  try {
    if (!isExact(c->path.transform) && !isPlugin(c->backend)) resolveOptions(keyed.problem, c->options);
  } catch (const Error&) {
    return std::nullopt;
  }
  c->path.segments = problem.segments;
  c->path.convolutions = problem.convolutions;
  c->seconds = c->parts().whole(keyed.workload);
  return c;
}

}  // namespace spokelab
