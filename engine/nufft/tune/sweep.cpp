#include "engine/nufft/tune/sweep.h"

#include <algorithm>

#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/cost_model.h"
#include "engine/nufft/tune/timing.h"
#include "engine/nufft/tune/tune_reason.h"

namespace spokelab {
namespace {

struct Point {
  double alpha, width;  // width 0: nothing reaches the accuracy at this alpha
};

std::vector<Point> pointsOf(const SweepRequest& request) {
  const TuneRequest& base = request.base;
  const std::vector<double> alphas = request.alphas.empty() ? fastAlphas(base.problem) : request.alphas;
  std::vector<Point> points;
  for (const double alpha : alphas) {
    if (request.widths.empty())
      points.push_back(
          {alpha, smallestWidth(base.problem, base.options.kernel, alpha, base.options.accuracy)});
    for (const double width : request.widths) points.push_back({alpha, width});
  }
  return points;
}

// A plan refuses an accuracy that it cannot meet. So a pair is asked for little more than its own
// error, whatever the request's accuracy.
Candidate candidateAt(NufftBackend& backend, const TuneRequest& base, const Point& point, Method spread,
                      Method interpolate) {
  if (point.width == 0) {
    Candidate c;
    c.backend = backend.name();
    c.options = base.options;
    c.options.alpha = point.alpha;
    c.grid = gridSize(base.problem, point.alpha, 1);
    c.refused = "no kernel width reaches the accuracy at this oversampling";
    return c;
  }
  Candidate c = makeCandidate(backend, base, point.alpha, point.width, spread, interpolate);
  if (!c.refused.empty()) return c;
  if (c.options.normal == NormalMethod::automatic)
    c.options.normal = NormalMethod::gridded;  // alpha and width matter to no other normal operator
  const Kernel kernel(c.options.kernel, point.width, point.alpha);
  const double bound = predictError(base.problem, kernel, c.grid, 0).bound;
  constexpr double polynomialMargin = 1.02, maxAccuracy = 0.999;
  if (bound >= maxAccuracy) {
    c.refused = "its error would be as large as the signal";
    return c;
  }
  c.options.accuracy = std::min(maxAccuracy, polynomialMargin * bound);
  return c;
}

}  // namespace

TuneResult sweep(std::span<NufftBackend* const> backends, const SweepRequest& request,
                 const Progress& progress, const std::function<void(const Candidate&)>& seen) {
  const double start = now();
  const TuneRequest& base = request.base;
  NufftOptions ranges = base.options;  // checks all options but the pair, which the sweep chooses
  ranges.alpha = ranges.width = 0;
  ranges.accuracy = 0.1;
  resolveOptions(base.problem, ranges);
  const std::vector<Point> points = pointsOf(request);
  TuneResult result;
  result.workload = base.workload;
  TimingData data(base);
  TimingPolicy policy;
  policy.trials = base.trials;
  try {
    for (std::size_t i = 0; i < points.size(); ++i)
      for (NufftBackend* backend : backends) {
        const auto spread = backend->spreadMethods(base.problem, base.options);
        const auto interpolate = backend->interpolateMethods(base.problem, base.options);
        if (spread.empty() || interpolate.empty()) continue;
        Candidate c = candidateAt(*backend, base, points[i], spread.front(), interpolate.front());
        progress.report(double(i) / double(points.size()), describe(c));
        if (c.refused.empty()) {
          timeCandidate(*backend, base, c, data, policy, progress);
          CostModel::shared().learn(base, c);
        }
        if (seen) seen(c);
        result.candidates.push_back(std::move(c));
      }
    progress.report(1, "done");
  } catch (const Cancelled&) {
    result.cancelled = true;
  }
  result.best = fastest(result, base);
  if (result.best >= 0) result.candidates[std::size_t(result.best)].outlook = outlookFor(result, base);
  if (result.best >= 0)
    result.reason = reasonFor(result, base);
  else
    result.reason = "No pair meets the accuracy";
  result.seconds = now() - start;
  return result;
}

}  // namespace spokelab
