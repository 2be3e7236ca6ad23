#include "engine/nufft/tune/tune_reason.h"

#include <cmath>

#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"

namespace spokelab {
namespace {

constexpr int digits = 3;
constexpr const char* micro = "µs";

std::string stages(const StageTimings& t) {
  return "interpolation takes " + percentText(t.interpolation() / t.total) + " of it, the FFT " +
         percentText(t.fft() / t.total);
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
    if (eligible(c, request) &&
        (best < 0 || c.timings.total < result.candidates[std::size_t(best)].timings.total))
      best = int(i);
  }
  return best;
}

std::string reasonFor(const TuneResult& result, const TuneRequest& request) {
  if (result.best < 0) return result.cancelled ? "Stopped before a plan was timed" : "No plan could run";
  const Candidate& winner = result.candidates[std::size_t(result.best)];
  if (result.fromWisdom)
    return "Remembered from an earlier search: " + secondsText(winner.timings.total, digits, micro) + "; " +
           stages(winner.timings);
  if (!winner.timed())
    return "Cheapest of " + std::to_string(result.candidates.size()) + " plans by the cost model: about " +
           secondsText(winner.predictedSeconds, digits, micro) + "; nothing was timed";

  int timed = 0;
  const Candidate* second = nullptr;
  for (const Candidate& c : result.candidates) {
    if (!eligible(c, request)) continue;
    ++timed;
    if (&c != &winner && (!second || c.timings.total < second->timings.total)) second = &c;
  }
  const std::string stopped = result.cancelled ? "Stopped early. " : "";
  if (!second)
    return stopped + "The only plan timed: " + secondsText(winner.timings.total, digits, micro) + "; " +
           stages(winner.timings);
  return stopped + "Fastest of " + std::to_string(timed) +
         " timed plans: " + secondsText(winner.timings.total, digits, micro) + ", " +
         percentText(second->timings.total / winner.timings.total - 1) + " ahead of " + describe(*second) +
         "; " + stages(winner.timings);
}

}  // namespace spokelab
