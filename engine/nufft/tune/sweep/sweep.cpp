#include "engine/nufft/tune/sweep/sweep.h"

#include <algorithm>
#include <optional>

#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/cost_model.h"
#include "engine/nufft/tune/plugins/tried_plugin.h"
#include "engine/nufft/tune/tune_reason.h"

namespace spokelab {
namespace {

constexpr std::size_t maxToeplitzRatios = 6;
constexpr const char* noWidth = "no kernel width reaches the accuracy at this oversampling";

struct Point {
  double alpha, width;  // width 0: nothing reaches the accuracy at this alpha
};

std::vector<double> alphasOf(const SweepRequest& request) {
  return request.alphas.empty() ? fastAlphas(request.base.problem, request.base.options.axisAlpha)
                                : request.alphas;
}

double smallestWidthAt(const TuneRequest& base, double alpha) {
  return smallestWidth(base.problem, base.options.kernel, alpha, transformAccuracy(base.options));
}

std::vector<Point> pointsOf(const SweepRequest& request) {
  std::vector<Point> points;
  for (const double alpha : alphasOf(request)) {
    if (request.widths.empty()) points.push_back({alpha, smallestWidthAt(request.base, alpha)});
    for (const double width : request.widths) points.push_back({alpha, width});
  }
  return points;
}

Candidate refusedCandidate(const NufftBackend& backend, const TuneRequest& base, double alpha,
                           const std::string& why) {
  Candidate c;
  c.backend = backend.name();
  c.options = base.options;
  c.options.alpha = alpha;
  c.grid = gridSizeOn(c.backend, base.problem, alpha, 1, c.options.axisAlpha);
  c.refused = why;
  return c;
}

// A plan refuses an accuracy that it cannot meet. So a pair requests little more than its predicted
// error, on the grid that all backends plan for (grid_size.h), instead of the request's accuracy.
Candidate candidateAt(NufftBackend& backend, const TuneRequest& base, const Point& point, Method spread,
                      Method interpolate) {
  if (point.width == 0) return refusedCandidate(backend, base, point.alpha, noWidth);
  Candidate c = makeCandidate(backend, base, point.alpha, point.width, spread, interpolate);
  if (!c.refused.empty()) return c;
  const Kernel kernel(c.options.kernel, point.width, point.alpha);
  const double bound =
      predictError(base.problem, kernel, gridSize(base.problem, point.alpha, point.width), 0).bound;
  constexpr double polynomialMargin = 1.02, maxAccuracy = 0.999;
  const double error = bound / transformShare(c.options.normal);
  if (error >= maxAccuracy) {
    c.refused = "its error would be as large as the signal";
    return c;
  }
  c.options.accuracy = std::min(maxAccuracy, polynomialMargin * error);
  return c;
}

// base's Toeplitz form for each alpha_T on a backend; the point spread gets a tenth of the
// accuracy.
std::vector<Candidate> toeplitzCandidates(NufftBackend& backend, const SweepRequest& request, Method spread,
                                          Method interpolate) {
  const TuneRequest& base = request.base;
  NufftOptions open = base.options;
  open.normal = NormalMethod::automatic;
  const std::vector<NormalMethod> availableForms = backend.normalMethods(base.problem, open);
  std::optional<Candidate> cheapest;
  for (const double alpha : alphasOf(request)) {
    const double width = smallestWidthAt(base, alpha);
    if (width == 0) continue;
    TuneRequest gridded = base;
    gridded.options.normal = NormalMethod::gridded;
    Candidate c = makeCandidate(backend, gridded, alpha, width, spread, interpolate);
    if (c.refused.empty() && (!cheapest || c.predictedSeconds < cheapest->predictedSeconds)) cheapest = c;
  }
  if (!cheapest) cheapest = refusedCandidate(backend, base, alphasOf(request).front(), noWidth);
  if (std::find(availableForms.begin(), availableForms.end(), base.options.normal) == availableForms.end())
    cheapest->refused = "the backend " + backend.name() + " has no such normal operator";
  std::vector<double> ratios{base.options.toeplitzAlpha};
  if (request.over == SweptOver::nothing) ratios = {0};
  if (request.over == SweptOver::toeplitzAlpha && ratios.front() == 0)
    ratios = toeplitzAlphas(base.problem, maxToeplitzRatios);
  std::vector<Candidate> candidates;
  for (const double ratio : ratios) {
    Candidate c = *cheapest;
    c.options.normal = base.options.normal;
    c.options.toeplitzAlpha = ratio;
    candidates.push_back(std::move(c));
  }
  return candidates;
}

RoundEntry entryOf(NufftBackend& backend, Candidate candidate, const std::shared_ptr<const TuneRequest>& base,
                   const std::shared_ptr<TimingData>& data) {
  RoundEntry entry;
  entry.candidate = std::move(candidate);
  entry.predict = [base](Candidate& c) { predictCost(*base, c); };
  entry.time = [&backend, base, data](Candidate& c, const TimingPolicy& policy, const Progress& progress) {
    timeCandidate(backend, *base, c, *data, policy, progress);
    if (!policy.timesOnly) CostModel::shared().learn(*base, c);
  };
  return entry;
}

}  // namespace

TuneRequest sweptRequest(const TuneRequest& request) {
  TuneRequest swept = request;
  if (request.workload.direction == Direction::normal && request.options.normal == NormalMethod::automatic)
    swept.options.normal = NormalMethod::gridded;
  return swept;
}

std::vector<RoundEntry> sweepEntries(std::span<NufftBackend* const> backends, const SweepRequest& asked,
                                     const std::shared_ptr<TimingData>& data, const Progress& progress) {
  SweepRequest request = asked;
  request.base = sweptRequest(asked.base);
  NufftOptions ranges = request.base.options;  // checks all options but the pair, which the sweep chooses
  ranges.alpha = ranges.width = 0;
  ranges.accuracy = 0.1;
  resolveOptions(request.base.problem, ranges);
  const auto shared = std::make_shared<const TuneRequest>(request.base);
  const TuneRequest& base = *shared;
  std::vector<RoundEntry> entries;
  const bool grid = request.over == SweptOver::grid;
  const std::vector<Point> points = grid ? pointsOf(request) : std::vector<Point>{{0, 0}};
  for (const Point& point : points)
    for (NufftBackend* backend : backends) {
      progress.checkpoint();
      const auto spread = backend->spreadMethods(base.problem, base.options);
      const auto interpolate = backend->interpolateMethods(base.problem, base.options);
      if (spread.empty() || interpolate.empty()) continue;
      std::vector<Candidate> candidates;
      if (grid)
        candidates.push_back(candidateAt(*backend, base, point, spread.front(), interpolate.front()));
      else
        candidates = toeplitzCandidates(*backend, request, spread.front(), interpolate.front());
      for (Candidate& c : candidates) entries.push_back(entryOf(*backend, std::move(c), shared, data));
    }
  if (!grid) return entries;
  TuneRequest open = base;  // a plug-in names its ratios, and has no widths
  open.options.alpha = open.options.width = 0;
  for (Candidate& c : pluginCandidates(backends, open)) {
    NufftBackend& backend = *backendNamed(backends, c.backend);
    entries.push_back(entryOf(backend, std::move(c), shared, data));
  }
  return entries;
}

TuneResult timeEntries(std::vector<RoundEntry> entries, const TuneRequest& base, const Progress& progress,
                       const std::function<void(const Candidate&)>& seen, const FollowingEntries& following) {
  constexpr double firstShare = 0.7;  // of the progress, where entries follow
  const double start = now();
  const LoadWatch watch;
  TuneResult result;
  result.workload = base.workload;
  const auto run = [&](std::vector<RoundEntry> these, const Progress& part) {
    try {
      timeInRounds(these, RoundLimits(base), part, seen);
      part.report(1, "done");
    } catch (const Cancelled&) {
      result.cancelled = true;
    }
    for (RoundEntry& entry : these)
      if (!result.cancelled || entry.candidate.timed() || !entry.candidate.refused.empty())
        result.candidates.push_back(std::move(entry.candidate));
    result.best = fastest(result, base);
  };
  run(std::move(entries), following ? progress.part(0, firstShare) : progress);
  if (following && result.best >= 0 && !result.cancelled)
    run(following(result.candidates[std::size_t(result.best)]), progress.part(firstShare, 1));
  result.load = watch.load();
  result.reason = "No plan that was timed meets the accuracy";
  if (result.best >= 0) {
    result.candidates[std::size_t(result.best)].outlook = outlookFor(result, base);
    result.behind = behindOf(result, base);
    result.reason = reasonFor(result, base);
  }
  result.seconds = now() - start;
  return result;
}

TuneResult sweep(std::span<NufftBackend* const> backends, const SweepRequest& request,
                 const Progress& progress, const std::function<void(const Candidate&)>& seen) {
  const double start = now();
  const auto data = std::make_shared<TimingData>(request.base);
  try {
    TuneResult result =
        timeEntries(sweepEntries(backends, request, data, progress), request.base, progress, seen);
    result.seconds = now() - start;
    return result;
  } catch (const Cancelled&) {  // before anything was timed
    TuneResult none;
    none.workload = request.base.workload;
    none.cancelled = true;
    return none;
  }
}

}  // namespace spokelab
