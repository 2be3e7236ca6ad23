#include "engine/nufft/tune/tune_reason.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/core/text.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/repeats.h"

namespace spokelab {
namespace {

constexpr int digits = 3;
constexpr double minGain = 1.05;  // smallest lead that an outlook mentions
constexpr const char* micro = "µs";

// "3.1 ms an execution; interpolation takes 61% of it, the FFT 30%, points and plan 4%".
std::string costs(const Candidate& c, const Workload& workload) {
  const auto part = [&](double seconds) { return percentText(seconds / c.cost()); };
  std::string text = secondsText(c.cost(), digits, micro);
  if (!isExact(c.path.transform) && !isPlugin(c.backend))  // a plug-in's stages are not known
    text += "; interpolation takes " + part(c.timings.interpolation()) + " of it, the FFT " +
            part(c.timings.fft());
  if (const double share = c.parts().share(workload); share > 0) text += ", points and plan " + part(share);
  if (!workload.onDevice && c.transferSeconds > 0) text += ", copies " + part(c.transferSeconds);
  return text;
}

std::string outlookOf(const Candidate& c) {
  return c.outlook.empty() ? std::string() : ". " + c.outlook;
}

bool eligible(const Candidate& c, const TuneRequest& request) {
  return mayWin(c, request.options.accuracy);
}

const Candidate& nearest(const std::vector<const Candidate*>& candidates) {
  return **std::min_element(candidates.begin(), candidates.end(),
                            [](const Candidate* a, const Candidate* b) { return a->cost() < b->cost(); });
}

std::vector<const Candidate*> othersThatMayWin(const TuneResult& result, const TuneRequest& request) {
  std::vector<const Candidate*> others;
  for (std::size_t i = 0; i < result.candidates.size(); ++i)
    if (int(i) != result.best && eligible(result.candidates[i], request))
      others.push_back(&result.candidates[i]);
  return others;
}

// "12% ahead of B", "tied with B", "tied with 2 others (nearest: B)", and how far behind it may be.
std::string leadOver(const Candidate& winner, const std::vector<const Candidate*>& others, double behind) {
  std::vector<const Candidate*> ties;
  for (const Candidate* c : others)
    if (tiesWith(*c, winner)) ties.push_back(c);
  std::string text;
  if (ties.empty())
    text = percentText(nearest(others).cost() / winner.cost() - 1) + " ahead of " + describe(nearest(others));
  else if (ties.size() == 1)
    text = "tied with " + describe(nearest(ties));
  else
    text = "tied with " + std::to_string(ties.size()) + " others (nearest: " + describe(nearest(ties)) + ')';
  constexpr double minShare = 0.005;  // a smaller share would read 0 %
  if (behind >= minShare) text += ", at most " + percentText(behind) + " slower than the best";
  if (isSingleRepeat(winner)) text += ", timed once";
  return text;
}

// Spread of two plans beyond chance, for busy machines. Only one of another plan's repeats may be
// undisturbed, so its fastest counts. Few repeats have no quartiles, so the slowest counts there.
double apart(const Candidate& winner, const Candidate& other) {
  constexpr std::size_t minRepeatsOfQuartiles = 8;
  const double slow = winner.runs.size() < minRepeatsOfQuartiles ? 1 : 0.75;
  return (winner.setUp() + quantileOf(winner.runs, slow)) / (other.setUp() + quantileOf(other.runs, 0)) - 1;
}

std::int64_t timedPlans(const TuneResult& result) {
  return std::ranges::count_if(result.candidates, &Candidate::timed);
}

std::string endedBy(const TuneResult& result) {
  if (result.cancelled) return "Stopped early. ";
  if (result.isThin)
    return "Only " + countText(timedPlans(result), "plan") + " of " +
           std::to_string(result.candidates.size()) +
           " timed in the time of a search, and not kept as wisdom (a longer time limit times more). ";
  if (!result.cutShort) return {};
  const auto left = std::count_if(result.candidates.begin(), result.candidates.end(),
                                  [](const Candidate& c) { return !c.timed() && c.refused.empty(); });
  return "Cut short by the time limit: " +
         (left > 0 ? countText(left, "plan") + " not timed. " : std::string("not all was timed. "));
}

}  // namespace

bool mayWin(const Candidate& c, double accuracy) {
  // resolveOptions judges without the polynomial, whose share is a tenth of the accuracy.
  constexpr double polynomialMargin = 1.01;
  return c.timed() && c.refused.empty() &&
         c.predicted.bound <= polynomialMargin * accuracy * transformShare(c.options.normal);
}

int fastest(const TuneResult& result, const TuneRequest& request) {
  int best = -1;
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const Candidate& c = result.candidates[i];
    if (eligible(c, request) && (best < 0 || c.cost() < result.candidates[std::size_t(best)].cost()))
      best = int(i);
  }
  return best;
}

// A rank test covers chance only. Load also favours plans that need fewer threads or less memory
// bandwidth, so on a busy machine the spread counts as well.
double behindOf(const TuneResult& result, const TuneRequest& request) {
  const Candidate& winner = result.candidates[std::size_t(result.best)];
  const std::vector<const Candidate*> others = othersThatMayWin(result, request);
  double behind = mayBeSlowerBy(winner, others);
  if (!result.load.isBusy()) return behind;
  for (const Candidate* other : others) {
    if (isSingleRepeat(winner) || isSingleRepeat(*other) || winner.runs.empty() || other->runs.empty())
      continue;
    behind = std::max(behind, apart(winner, *other));
  }
  return behind;
}

std::string reasonFor(const TuneResult& result, const TuneRequest& request) {
  if (result.best < 0) return result.cancelled ? "Stopped before a plan was timed" : "No plan could run";
  const Candidate& winner = result.candidates[std::size_t(result.best)];
  if (result.fromWisdom)
    return "Remembered from an earlier search: " + costs(winner, request.workload) + outlookOf(winner);
  if (!winner.timed())
    return "Cheapest of " + std::to_string(result.candidates.size()) + " plans by the cost model: about " +
           secondsText(winner.predictedSeconds, digits, micro) + "; nothing was timed";

  const std::vector<const Candidate*> others = othersThatMayWin(result, request);
  const std::string stopped = endedBy(result);
  if (others.empty()) return stopped + "The only plan timed: " + costs(winner, request.workload);
  const std::string earlier = result.timedEarlier > 0 ? " (" + std::to_string(result.timedEarlier) +
                                                            " by an earlier search that did not end)"
                                                      : "";
  return stopped + "Fastest of " + std::to_string(others.size() + 1) + " timed plans" + earlier + ", " +
         leadOver(winner, others, behindOf(result, request)) + ": " + costs(winner, request.workload) +
         outlookOf(winner);
}

std::string outlookFor(const TuneResult& result, const TuneRequest& request) {
  if (result.best < 0 || !result.candidates[std::size_t(result.best)].timed()) return {};
  const Workload& workload = request.workload;
  const Candidate& winner = result.candidates[std::size_t(result.best)];
  const Candidate *more = nullptr, *fewer = nullptr;
  double from = Workload::unlimited, below = 0;
  const auto setUp = [&](const Candidate& c) {
    return c.parts().points + c.parts().plan / workload.pointSets;
  };
  const auto run = [&](const Candidate& c) { return c.cost() - c.parts().share(workload); };
  for (const Candidate& c : result.candidates) {
    if (&c == &winner || !eligible(c, request)) continue;
    // The number of executions at which both plans cost the same.
    const double even = (setUp(c) - setUp(winner)) / (run(winner) - run(c));
    if (run(c) * minGain < run(winner) && even > workload.executions && even < from) {
      from = even;
      more = &c;
    }
    if (setUp(c) * minGain < setUp(winner) && even > below && even < workload.executions) {
      below = even;
      fewer = &c;
    }
  }
  std::string text;
  if (more)
    text = "With " + countText(std::int64_t(std::ceil(from)), "execution") + " or more of a set of points, " +
           describe(*more) + " is faster";
  if (fewer && below >= 1)
    text += std::string(more ? "; with up" : "With up") + " to " +
            countText(std::int64_t(std::floor(below)), "execution") + ", " + describe(*fewer) + " is faster";
  return text;
}

}  // namespace spokelab
