#include "engine/nufft/tune/tune_reason.h"

#include <cmath>
#include <cstdint>

#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"

namespace spokelab {
namespace {

constexpr int digits = 3;
constexpr double minGain = 1.05;  // a lead that an outlook speaks of
constexpr const char* micro = "µs";

// "3.1 ms an execution; interpolation takes 61% of it, the FFT 30%, points and plan 4%".
std::string costs(const Candidate& c, const Workload& workload) {
  const auto part = [&](double seconds) { return percentText(seconds / c.cost()); };
  std::string text = secondsText(c.cost(), digits, micro);
  if (!isExact(c.path.transform))
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
  // resolveOptions judges without the polynomial, whose share is a tenth of the accuracy.
  constexpr double polynomialMargin = 1.01;
  return c.timed() && c.refused.empty() && c.predicted.bound <= polynomialMargin * request.options.accuracy;
}

}  // namespace

int fastest(const TuneResult& result, const TuneRequest& request) {
  int best = -1;
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const Candidate& c = result.candidates[i];
    if (eligible(c, request) && (best < 0 || c.cost() < result.candidates[std::size_t(best)].cost()))
      best = int(i);
  }
  return best;
}

std::string reasonFor(const TuneResult& result, const TuneRequest& request) {
  if (result.best < 0) return result.cancelled ? "Stopped before a plan was timed" : "No plan could run";
  const Candidate& winner = result.candidates[std::size_t(result.best)];
  if (result.fromWisdom)
    return "Remembered from an earlier search: " + costs(winner, request.workload) + outlookOf(winner);
  if (!winner.timed())
    return "Cheapest of " + std::to_string(result.candidates.size()) + " plans by the cost model: about " +
           secondsText(winner.predictedSeconds, digits, micro) + "; nothing was timed";

  int timed = 0;
  const Candidate* second = nullptr;
  for (const Candidate& c : result.candidates) {
    if (!eligible(c, request)) continue;
    ++timed;
    if (&c != &winner && (!second || c.cost() < second->cost())) second = &c;
  }
  const std::string stopped = result.cancelled ? "Stopped early. " : "";
  if (!second) return stopped + "The only plan timed: " + costs(winner, request.workload);
  return stopped + "Fastest of " + std::to_string(timed) + " timed plans, " +
         percentText(second->cost() / winner.cost() - 1) + " ahead of " + describe(*second) + ": " +
         costs(winner, request.workload) + outlookOf(winner);
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
    // Both plans cost the same at this number of executions.
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
    text = "From " + countText(std::int64_t(std::ceil(from)), "execution") + " for a set of points on, " +
           describe(*more) + " is faster";
  if (fewer && below >= 1)
    text += std::string(more ? "; up" : "Up") + " to " +
            countText(std::int64_t(std::floor(below)), "execution") + ", " + describe(*fewer) + " is faster";
  return text;
}

}  // namespace spokelab
