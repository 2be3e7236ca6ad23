#include "engine/nufft/tune/fixed/reproducible.h"

#include <optional>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/fixed/estimate.h"
#include "engine/nufft/tune/timing.h"
#include "engine/nufft/tune/wisdom.h"

namespace spokelab {
namespace {

constexpr double progressOfFastest = 0.8;  // share of the progress bar

TuneRequest freed(TuneRequest request) {
  request.options.reproducible = false;
  request.measureError = false;
  return request;
}

// Times the repeatable plan, and the fastest plan without the switch.
ReproducibleCost measured(std::span<NufftBackend* const> backends, const TuneRequest& request,
                          Candidate& chosen, Wisdom* wisdom, const Progress& progress) {
  const TuneResult other = tune(backends, freed(request), wisdom, progress.part(0, progressOfFastest));
  if (other.cancelled) throw Cancelled{};
  TimingData data(request);
  const NufftOptions options = chosen.options;
  timeCandidate(*backendNamed(backends, chosen.backend), request, chosen, data, {},
                progress.part(progressOfFastest, 1));
  chosen.options = options;  // by the rule, not as timing resolved them
  const Candidate& fastest = other.candidates[std::size_t(other.best)];
  if (wisdom && chosen.timed()) wisdom->remember(Wisdom::key(backends, request), chosen);
  return chosen.timed() && fastest.timed() ? ReproducibleCost{chosen.cost(), fastest.cost()}
                                           : ReproducibleCost{};
}

// Both times from wisdom; unknown if wisdom holds another repeatable plan than the one chosen now.
ReproducibleCost remembered(std::span<NufftBackend* const> backends, const TuneRequest& request,
                            const Candidate& chosen, const Wisdom* wisdom) {
  if (!wisdom) return {};
  const std::optional<Candidate> own = wisdom->find(Wisdom::key(backends, request)),
                                 other = wisdom->find(Wisdom::key(backends, freed(request)));
  if (!own || !other || own->backend != chosen.backend || own->options != chosen.options) return {};
  return {own->parts().whole(request.workload), other->parts().whole(request.workload)};
}

std::string reasonOf(const TuneResult& result) {
  constexpr int digits = 3;
  constexpr const char* micro = "µs";
  const Candidate& winner = result.candidates[std::size_t(result.best)];
  std::string text = "Reproducible: cheapest of " + std::to_string(result.candidates.size()) +
                     " plans that repeat bit by bit, by the cost model for " +
                     std::to_string(reproducibleShares) + " threads, about " +
                     secondsText(winner.predictedSeconds, digits, micro);
  const ReproducibleCost& cost = result.reproducible;
  if (!cost.known()) return text + "; what that costs is not measured yet (tune measures it)";
  return text + ". Measured, it takes " + secondsText(cost.with, digits, micro) +
         " an execution; the fastest plan without the switch " + secondsText(cost.without, digits, micro) +
         " (" + numberText(cost.with / cost.without, digits) + " times as long)";
}

}  // namespace

TuneResult tuneReproducibly(std::span<NufftBackend* const> backends, const TuneRequest& request,
                            Wisdom* wisdom, const Progress& progress,
                            const std::function<void(const Candidate&)>& seen) {
  const double start = now();
  TuneResult result;
  result.workload = request.workload;
  TuneRequest fixed = request;
  fixed.effort = TuneEffort::estimate;
  result.candidates = enumerateCandidates(backends, fixed);
  if (!result.candidates.empty()) chooseByModel(backends, fixed, result);
  if (result.best < 0)
    throw Error("No plan could run",
                result.candidates.empty() ? "nobody knows whether a plug-in's results repeat bit by bit"
                                          : result.candidates.front().refused,
                "Allow more memory, choose another backend or method, or leave reproducible out");
  Candidate& chosen = result.candidates[std::size_t(result.best)];
  try {
    result.reproducible = request.mustTime && request.effort != TuneEffort::estimate
                              ? measured(backends, request, chosen, wisdom, progress)
                              : remembered(backends, request, chosen, wisdom);
    if (seen && chosen.timed()) seen(chosen);
  } catch (const Cancelled&) {
    result.cancelled = true;
  }
  result.reason = reasonOf(result);
  result.seconds = now() - start;
  return result;
}

}  // namespace spokelab
