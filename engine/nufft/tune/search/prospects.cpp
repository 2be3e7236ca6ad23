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
double libraryHandicap(const TuneRequest& request, const Candidate& c, bool isFirst) {
  constexpr double ofFirst = 4, ofOthers = 1.25;
  if (hasPassesOn(c.backend, request.problem, c.grid)) return 1;
  return isFirst ? ofFirst : ofOthers;
}

// The most promising candidate of a GPU whose method none of `timed` has, that promises to cost `most` at most, and that is
// timed soon; the size of `rest` where there is none.
std::size_t untriedMethod(const TuneRequest& request, std::span<const Candidate> timed,
                          std::span<const Candidate> rest, double most) {
  // To set points and to run once. (H100: for a stored matrix of 125 million values 0.8 s went by.)
  constexpr double maxTrySeconds = 0.02;
  std::size_t best = rest.size();
  double least = most;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const double promised = rest[i].predictedSeconds * libraryHandicap(request, rest[i], false);
    if (promised > least || !isGuess(request, rest[i])) continue;
    if (rest[i].predictedParts.points + rest[i].predictedParts.execution > maxTrySeconds) continue;
    if (std::ranges::any_of(timed, [&](const Candidate& t) { return sameMethods(t, rest[i]); })) continue;
    least = promised;
    best = i;
  }
  return best;
}

}  // namespace

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
    return libraryHandicap(request, c, isFirst) * (isFirst || isTried ? 1 : ofUntried);
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

bool bringForward(const TuneRequest& request, std::span<const Candidate> timed, std::span<Candidate> rest) {
  // Once minTimed are timed, a search that may not time all skips what is predicted to be so many times slower than the best,
  // but for methods without a time of their own: each is tried up to tryMethodUpTo, before the others are varied. (H100: 1.4
  // million points of 32^3 pixels were searched with tensor cores alone, which take 0.121 ms there; `sm` takes 0.103.)
  constexpr double skipIfPredictedSlower = 1.3, tryMethodUpTo = 6;
  constexpr std::size_t minTimed = 5;
  const auto take = [&](std::size_t from, std::size_t place) {
    std::rotate(rest.begin() + std::ptrdiff_t(from), rest.begin() + std::ptrdiff_t(place),
                rest.begin() + std::ptrdiff_t(place) + 1);
  };
  double best = HUGE_VAL;
  for (const Candidate& c : timed)
    if (c.timed()) best = std::min(best, c.cost());
  const bool choosy = request.effort == TuneEffort::measure && best < HUGE_VAL && timed.size() >= minTimed;
  std::span<Candidate> promising = rest;
  if (choosy) {
    const std::size_t untried = untriedMethod(request, timed, rest, tryMethodUpTo * best);
    if (untried < rest.size()) {
      take(0, untried);
      return true;
    }
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
