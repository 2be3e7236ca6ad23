#include "app/gui/sweep_plan.h"

#include <algorithm>
#include <cmath>

#include "engine/nufft/error_model.h"
#include "engine/recon/gridding.h"
#include "widgets/profile/profile_data.h"

namespace spokelab {
namespace {

constexpr std::size_t mostAlphas = 8;
constexpr double narrowest = 2, widthsBelow = 1;  // cells
constexpr double mostWidths = 7;
constexpr double firstPart = 0.25;  // of the progress bar

}  // namespace

std::vector<double> sweepAlphas(const NufftProblem& problem) {
  const std::vector<double> fast = fastAlphas(problem);
  if (fast.size() <= mostAlphas) return fast;
  std::vector<double> picked;
  for (std::size_t i = 0; i < mostAlphas; ++i)
    picked.push_back(fast[i * (fast.size() - 1) / (mostAlphas - 1)]);
  return picked;
}

std::vector<double> sweepWidths(const NufftProblem& problem, const NufftOptions& options,
                                const std::vector<double>& alphas) {
  double low = maximumWidth, high = 0;
  for (double alpha : alphas) {
    const double width = smallestWidth(problem, options.kernel, alpha, options.accuracy);
    if (width <= 0) continue;
    low = std::min(low, width);
    high = std::max(high, width);
  }
  std::vector<double> widths;
  if (high <= 0) return widths;
  const double first = std::max(narrowest, std::floor(low) - widthsBelow);
  const double last = std::min(maximumWidth, std::ceil(high));
  const double step = std::max(1.0, std::ceil((last - first + 1) / mostWidths));
  for (double width = first; width <= last; width += step) widths.push_back(width);
  return widths;
}

TuneResult sweepScan(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
                     const JobContext& context) {
  const ScanProblem problem = scanProblem(scan, options);
  const auto chosen = backendsFor(backends, options.backend);
  const std::vector<NufftBackend*> timed(chosen.begin(), chosen.end());
  SweepRequest request;
  request.base = tuneRequest(problem, options);
  request.base.options.alpha = 0;
  request.base.options.width = 0;
  request.base.measureError = true;
  request.alphas = sweepAlphas(problem.problem);
  TuneResult smallest = spokelab::sweep(timed, request, context.progress.part(0, firstPart), context.seen);
  if (smallest.cancelled) throw Cancelled{};
  const int firstCount = int(smallest.candidates.size());
  request.widths = sweepWidths(problem.problem, options.nufft, request.alphas);
  if (!request.widths.empty()) {
    TuneResult grid = spokelab::sweep(timed, request, context.progress.part(firstPart, 1), context.seen);
    if (grid.cancelled) throw Cancelled{};
    smallest.candidates.insert(smallest.candidates.end(), grid.candidates.begin(), grid.candidates.end());
    smallest.seconds += grid.seconds;
  }
  smallest.best = -1;
  double fastest = 0;
  for (int i = 0; i < int(smallest.candidates.size()); ++i) {
    const Candidate& candidate = smallest.candidates[std::size_t(i)];
    if (!candidate.timed() || !meetsAccuracy(candidate, options.nufft.accuracy)) continue;
    if (smallest.best >= 0 && candidate.timings.total >= fastest) continue;
    smallest.best = i;
    fastest = candidate.timings.total;
  }
  if (smallest.best >= firstCount) smallest.reason.clear();  // it spoke of the first part only
  return smallest;
}

}  // namespace spokelab
