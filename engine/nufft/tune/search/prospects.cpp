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

bool isGuess(const TuneRequest& request, const Candidate& c) {
  const bool convolves = request.workload.direction == Direction::normal && isToeplitz(c.options.normal);
  return c.backend != "cpu" && !isPlugin(c.backend) && !convolves;
}

bool sameMethods(const Candidate& a, const Candidate& b) {
  return a.backend == b.backend && a.options.spread == b.options.spread &&
         a.options.interpolate == b.options.interpolate;
}

// A method's learnt time may come from points that crowded, and must not rule it out.
double atBest(const Candidate& c) {
  return c.promisedSeconds > 0 ? c.promisedSeconds : c.predictedSeconds;
}
const CostParts& partsAtBest(const Candidate& c) {
  return c.promisedSeconds > 0 ? c.promisedParts : c.predictedParts;
}

// Seconds to try a candidate.
double price(const TuneRequest& request, const Candidate& c) {
  constexpr double runs = 2;
  const CostParts& p = partsAtBest(c);
  return p.plan + (request.workload.pointSets > 1 ? 2 : 1) * p.points + runs * (p.execution + p.transfer);
}

// A candidate that costs more to try than the cheapest must promise this factor less.
double priceHandicap(double price, double cheapest) {
  constexpr double cheapSeconds = 0.01;
  return 1 + std::max(0.0, price - cheapest) / (cheapSeconds + 2 * cheapest);
}

bool isSorted(Method m) {
  return m == Method::pointSorted || m == Method::subproblem || m == Method::sector ||
         m == Method::fixedPoint || m == Method::outputDriven;
}

enum class SafeKind { none, sorted, tensor, blocked };

SafeKind safeKind(const TuneRequest& request, const Candidate& c) {
  if (isPlugin(c.backend) || request.workload.direction == Direction::normal) return SafeKind::none;
  const bool spreads = request.workload.direction != Direction::forward,
             interpolates = request.workload.direction != Direction::adjoint;
  const auto eachMethod = [&](const auto& is) {
    return (!spreads || is(c.options.spread)) && (!interpolates || is(c.options.interpolate));
  };
  if (c.backend == "cpu")
    return eachMethod([](Method m) { return m == Method::blocked; }) ? SafeKind::blocked : SafeKind::none;
  if (eachMethod([](Method m) { return m == Method::tensor; })) return SafeKind::tensor;
  return eachMethod(isSorted) ? SafeKind::sorted : SafeKind::none;
}

// cuFFT 12 compiles code for a length in 0.1 to 0.45 s (H100, once per driver cache), time for a
// dozen of other candidates. So those come first if they promise as much within this factor, and
// the first candidate avoids cuFFT.
double libraryHandicap(const TuneRequest& request, std::span<const Candidate> timed, const Candidate& c,
                       bool isFirst) {
  constexpr double ofFirst = 4, ofOthers = 1.25;
  if (!needsLibraryPlan(request, timed, c)) return 1;
  return isFirst ? ofFirst : ofOthers;
}

// The most promising GPU candidate whose method is not in `timed` and whose promised cost is at
// most `maxCost`; untimed.size() without one. At equal promise the higher ranked method wins. soon:
// only candidates that need no library plan.
std::size_t untriedMethod(const TuneRequest& request, std::span<const Candidate> timed,
                          std::span<const Candidate> untimed, double maxCost, bool soon) {
  // To set points and run once: a stored matrix of 125 million values took 0.8 s (H100).
  constexpr double maxTrySeconds = 0.02;
  std::size_t best = untimed.size();
  double least = maxCost;
  for (std::size_t i = 0; i < untimed.size(); ++i) {
    const double promised = atBest(untimed[i]) * libraryHandicap(request, timed, untimed[i], false);
    if (promised >= least || !isGuess(request, untimed[i])) continue;
    if (partsAtBest(untimed[i]).points + partsAtBest(untimed[i]).execution > maxTrySeconds) continue;
    if (soon && needsLibraryPlan(request, timed, untimed[i])) continue;
    if (std::ranges::any_of(timed, [&](const Candidate& t) { return sameMethods(t, untimed[i]); })) continue;
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
  std::map<std::string, std::vector<double>> transfers;
  for (const Candidate& c : timed)
    if (c.timed() && !isPlugin(c.backend)) transfers[c.backend].push_back(c.transferSeconds);
  std::map<std::string, double> copies;
  for (auto& [backend, seconds] : transfers) copies[backend] = medianOf(std::move(seconds));
  for (Candidate& c : rest) {
    predictCost(request, c);
    const auto known = copies.find(c.backend);
    if (known == copies.end()) continue;
    c.predictedParts.transfer = c.promisedParts.transfer = known->second;
    c.predictedSeconds = c.predictedParts.whole(request.workload);
    c.promisedSeconds = c.promisedParts.whole(request.workload);
  }
}

std::size_t mostPromising(const TuneRequest& request, std::span<const Candidate> timed,
                          std::span<const Candidate> rest) {
  // In 2-D all methods have the same guess. Without this handicap a double slice of 2137 x 1721 was
  // searched with tensor cores alone, 2.2 ms, although `sm` takes 1.4 ms (H100, 1e-10, type 2).
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
  double least = HUGE_VAL, cheapest = HUGE_VAL;
  if (request.effort == TuneEffort::measure)
    for (const Candidate& c : rest) cheapest = std::min(cheapest, price(request, c));
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const double seconds = rest[i].predictedSeconds;
    if (ofUntried * seconds >= least) continue;
    const double dearer =
        request.effort == TuneEffort::measure ? priceHandicap(price(request, rest[i]), cheapest) : 1;
    if (const double promised = seconds * dearer * handicap(rest[i]); promised < least) {
      least = promised;
      best = i;
    }
  }
  return best;
}

bool bringForward(const TuneRequest& request, std::span<const Candidate> timed, std::span<Candidate> rest,
                  bool libraryPlans) {
  // After minTimed candidates a search that may not time all skips candidates predicted to be
  // slower by this factor. A method without a measured time is tried up to tryMethodUpTo first: 1.4
  // million points of 32^3 pixels had been searched with tensor cores alone, 0.121 ms, where `sm`
  // takes 0.103 (H100). In 1-D and 2-D, where all methods share one guess, they are tried at once
  // unless a library has to plan: seven plans of 5.6 million points, three coils of 544^2 pixels in
  // double, had led to `gm`, 5.6 ms, where tensor cores take 2.0 (H100).
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

bool bringSafeForward(const TuneRequest& request, std::span<const Candidate> timed,
                      std::span<Candidate> rest) {
  if (request.effort != TuneEffort::measure) return false;
  std::size_t best = rest.size();
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const SafeKind kind = safeKind(request, rest[i]);
    if (kind == SafeKind::none || std::ranges::any_of(timed, [&](const Candidate& t) {
          return t.backend == rest[i].backend && safeKind(request, t) == kind;
        }))
      continue;
    // Planning by a library takes the time of several other candidates.
    constexpr double ofLibrary = 10;
    const double seconds =
        rest[i].predictedSeconds * (needsLibraryPlan(request, timed, rest[i]) ? ofLibrary : 1);
    if (seconds >= least) continue;
    least = seconds;
    best = i;
  }
  if (best == rest.size()) return false;
  std::rotate(rest.begin(), rest.begin() + std::ptrdiff_t(best), rest.begin() + std::ptrdiff_t(best) + 1);
  return true;
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
