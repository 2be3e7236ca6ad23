#include "engine/nufft/tune/search/prospects.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "engine/core/measure/rank_test.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/cost_model.h"

namespace spokelab {

void predictRest(const TuneRequest& request, std::span<const Candidate> timed, std::span<Candidate> rest) {
  std::map<std::string, std::vector<double>> all;
  for (const Candidate& c : timed)
    if (c.timed() && !isPlugin(c.backend)) all[c.backend].push_back(c.transferSeconds);
  std::map<std::string, double> copies;
  for (auto& [backend, seconds] : all) copies[backend] = medianOf(std::move(seconds));
  for (Candidate& c : rest) {
    predictCost(request, c);
    const auto known = copies.find(c.backend);
    if (known == copies.end()) continue;
    c.predictedParts.transfer = known->second;
    c.predictedSeconds = c.predictedParts.whole(request.workload);
  }
}

std::size_t mostPromising(const TuneRequest& request, std::span<const Candidate> timed,
                          std::span<const Candidate> rest) {
  // cuFFT 12 compiles code for a length in 0.45 s (H100, once for each driver's cache).
  constexpr double ofFirst = 4, ofOthers = 1.1;
  // In 2-D all methods have one guess. A double slice of 2137 x 1721 was searched with tensor cores alone, which take 2.2
  // ms there: `sm` takes 1.4 (H100, 1e-10, type 2).
  constexpr double ofUntried = 0.8;
  const auto handicap = [&](const Candidate& c) {
    const bool convolves = request.workload.direction == Direction::normal && isToeplitz(c.options.normal);
    if (request.effort != TuneEffort::measure || c.backend == "cpu" || isPlugin(c.backend) || convolves)
      return 1.0;
    bool isFirst = true, isTried = false;
    for (const Candidate& t : timed) {
      if (t.backend != c.backend || !t.timed()) continue;
      isFirst = false;
      isTried |= t.options.spread == c.options.spread && t.options.interpolate == c.options.interpolate;
    }
    const double ofLibrary = hasPassesOn(c.backend, request.problem, c.grid) ? 1
                             : isFirst                                       ? ofFirst
                                                                             : ofOthers;
    return ofLibrary * (isFirst || isTried ? 1 : ofUntried);
  };
  std::size_t best = 0;
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const double seconds = rest[i].predictedSeconds;
    if (ofUntried * seconds >= least) continue;
    if (const double promised = seconds * handicap(rest[i]); promised < least) {
      least = promised;
      best = i;
    }
  }
  return best;
}

double besideCopies(const TuneRequest& request, const Candidate& c) {
  const double whole = c.timed() ? c.cost() : c.predictedSeconds;
  const double copies = c.timed() ? c.transferSeconds : c.predictedParts.transfer;
  return request.workload.onDevice ? whole : whole - copies;
}

double bestBesideCopies(const TuneRequest& request, std::span<const Candidate> candidates,
                        const std::string& backend) {
  double best = HUGE_VAL;
  for (const Candidate& c : candidates)
    if (c.timed() && c.backend == backend) best = std::min(best, besideCopies(request, c));
  return best;
}

}  // namespace spokelab
