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
namespace {

// Whether what a method takes is a guess until it was timed.
bool isGuess(const TuneRequest& request, const Candidate& c) {
  const bool convolves = request.workload.direction == Direction::normal && isToeplitz(c.options.normal);
  return c.backend != "cpu" && !isPlugin(c.backend) && !convolves;
}

bool sameMethods(const Candidate& a, const Candidate& b) {
  return a.backend == b.backend && a.options.spread == b.options.spread &&
         a.options.interpolate == b.options.interpolate;
}

// cuFFT 12 compiles code for a length in 0.1 to 0.45 s (H100, once for each driver's cache), in which a dozen of other
// candidates are timed: these come first where they promise as much but for this factor. The first of all should be none
// of cuFFT's.
double libraryHandicap(const TuneRequest& request, std::span<const Candidate> timed, const Candidate& c,
                       bool isFirst) {
  constexpr double ofFirst = 4, ofOthers = 1.25;
  if (!needsLibraryPlan(request, timed, c)) return 1;
  return isFirst ? ofFirst : ofOthers;
}

// The most promising candidate of a GPU whose method none of `timed` has, that promises to cost `most` at most, and that is
// timed soon; of several the first, as methods come in the order of their ranking. soon: it needs no plan of a library's.
// The size of `rest` where there is none.
std::size_t untriedMethod(const TuneRequest& request, std::span<const Candidate> timed,
                          std::span<const Candidate> rest, double most, bool soon) {
  // To set points and to run once. (H100: for a stored matrix of 125 million values 0.8 s went by.)
  constexpr double maxTrySeconds = 0.02;
  std::size_t best = rest.size();
  double least = most;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const double promised = rest[i].predictedSeconds * libraryHandicap(request, timed, rest[i], false);
    if (promised >= least || !isGuess(request, rest[i])) continue;
    if (rest[i].predictedParts.points + rest[i].predictedParts.execution > maxTrySeconds) continue;
    if (soon && needsLibraryPlan(request, timed, rest[i])) continue;
    if (std::ranges::any_of(timed, [&](const Candidate& t) { return sameMethods(t, rest[i]); })) continue;
    least = promised;
    best = i;
  }
  return best;
}

}  // namespace

bool needsLibraryPlan(const TuneRequest& request, std::span<const Candidate> timed, const Candidate& c) {
  return isGuess(request, c) && !hasPassesOn(c.backend, request.problem, c.grid) &&
         std::ranges::none_of(timed, [&](const Candidate& t) {
           return t.timed() && t.backend == c.backend && t.grid == c.grid;
         });
}

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
  // In 2-D all methods have one guess. A double slice of 2137 x 1721 was searched with tensor cores alone, which take 2.2
  // ms there: `sm` takes 1.4 (H100, 1e-10, type 2).
  constexpr double ofUntried = 0.8;
  const auto handicap = [&](const Candidate& c) {
    if (request.effort != TuneEffort::measure || !isGuess(request, c)) return 1.0;
    bool isFirst = true, isTried = false;
    for (const Candidate& t : timed) {
      if (t.backend != c.backend || !t.timed()) continue;
      isFirst = false;
      isTried |= sameMethods(t, c);
    }
    return libraryHandicap(request, timed, c, isFirst) * (isFirst || isTried ? 1 : ofUntried);
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

bool bringForward(const TuneRequest& request, std::span<const Candidate> timed, std::span<Candidate> rest,
                  bool libraryPlans) {
  // Once minTimed are timed, a search that may not time all skips what is predicted to be so many times slower than the best,
  // but for methods without a time of their own: each is tried up to tryMethodUpTo, before the others are varied. (H100: 1.4
  // million points of 32^3 pixels were searched with tensor cores alone, which take 0.121 ms there; `sm` takes 0.103.)
  // In 1-D and 2-D, where all methods have one guess, they are tried at once where no library has to plan for it. (H100: of
  // 5.6 million points, three coils of 544^2 pixels in double, set for one execution, seven plans were timed, and `gm` was
  // chosen, which takes 5.6 ms there; tensor cores take 2.0.)
  constexpr double skipIfPredictedSlower = 1.3, tryMethodUpTo = 6;
  constexpr std::size_t minTimed = 5;
  if (!libraryPlans)
    rest = rest.first(rest.size() - std::ranges::stable_partition(rest, [&](const Candidate& c) {
                                      return !needsLibraryPlan(request, timed, c);
                                    }).size());
  const auto take = [&](std::size_t from, std::size_t place) {
    std::rotate(rest.begin() + std::ptrdiff_t(from), rest.begin() + std::ptrdiff_t(place),
                rest.begin() + std::ptrdiff_t(place) + 1);
  };
  double best = HUGE_VAL;
  for (const Candidate& c : timed)
    if (c.timed()) best = std::min(best, c.cost());
  const bool measures = request.effort == TuneEffort::measure && best < HUGE_VAL;
  const bool choosy = measures && timed.size() >= minTimed;
  if (choosy || (measures && request.problem.dims < 3)) {
    const std::size_t untried = untriedMethod(request, timed, rest, tryMethodUpTo * best, !choosy);
    if (untried < rest.size()) {
      take(0, untried);
      return true;
    }
  }
  std::span<Candidate> promising = rest;
  if (choosy) {
    const auto slower = std::ranges::stable_partition(
        rest, [&](const Candidate& c) { return c.predictedSeconds <= skipIfPredictedSlower * best; });
    promising = rest.first(rest.size() - slower.size());
  }
  for (std::size_t skipped = 0; skipped < promising.size(); ++skipped) {
    take(skipped, skipped + mostPromising(request, timed, promising.subspan(skipped)));
    const Candidate& c = rest[skipped];
    if (!choosy ||
        besideCopies(request, c) <= skipIfPredictedSlower * bestBesideCopies(request, timed, c.backend)) {
      take(0, skipped);
      return true;
    }
  }
  return false;
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
