#include "engine/recon/sense/paths/path_reason.h"

#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"

namespace spokelab {

int cheapestOf(const TuneResult& result) {
  int best = -1;
  for (std::size_t i = 0; i < result.candidates.size(); ++i)
    if (result.candidates[i].refused.empty() &&
        (best < 0 ||
         result.candidates[i].predictedSeconds < result.candidates[std::size_t(best)].predictedSeconds))
      best = int(i);
  return best;
}

std::string untimedText(const TuneResult& result) {
  constexpr int digits = 2;
  std::string text;
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const Candidate& c = result.candidates[i];
    if (c.timed() || !c.refused.empty() || int(i) == result.best) continue;
    text += (text.empty() ? ". By the cost model " : "; ") + describe(c) + ": " +
            secondsText(c.predictedSeconds, digits);
  }
  return text;
}

std::string refusals(const TuneResult& result) {
  std::string text;
  for (const Candidate& c : result.candidates)
    if (!c.refused.empty())
      text += (text.empty() ? "" : "; ") + std::string(transformName(c.path.transform)) + ": " + c.refused;
  return text;
}

}  // namespace spokelab
