#include "app/gui/session/sweep_plan.h"

#include <algorithm>
#include <cmath>

#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/tune/sweep.h"
#include "engine/nufft/tune/tune_reason.h"
#include "engine/recon/scan_problem.h"

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
  double low = maxKernelWidth, high = 0;
  for (double alpha : alphas) {
    const double width = smallestWidth(problem, options.kernel, alpha, options.accuracy);
    if (width <= 0) continue;
    low = std::min(low, width);
    high = std::max(high, width);
  }
  std::vector<double> widths;
  if (high <= 0) return widths;
  const double first = std::max(narrowest, std::floor(low) - widthsBelow);
  const double last = std::min(maxKernelWidth, std::ceil(high));
  const double step = std::max(1.0, std::ceil((last - first + 1) / mostWidths));
  for (double width = first; width <= last; width += step) widths.push_back(width);
  return widths;
}

TuneResult sweepScan(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
                     const SweepBreadth& breadth, const JobContext& context) {
  const ScanProblem problem = scanProblem(scan, options);
  const auto chosen = backendsFor(backends, options.backend);
  const std::vector<NufftBackend*> timed(chosen.begin(), chosen.end());
  SweepRequest request;
  request.base = tuneRequest(problem, options);
  request.base.options.alpha = 0;
  request.base.options.width = 0;
  request.base.measureError = true;
  request.alphas = sweepAlphas(problem.problem);
  const auto layers = sweepLayers(chosen, problem.problem, request.base.options, breadth);
  const double plain = 1 / double(1 + layers.size());  // the share of the sweep of the options themselves

  TuneResult all;
  const auto add = [&](const TuneResult& part) {
    if (part.cancelled) throw Cancelled{};
    all.candidates.insert(all.candidates.end(), part.candidates.begin(), part.candidates.end());
    all.seconds += part.seconds;
  };
  const auto sweepBoth = [&](const auto& sweepPart) {
    request.widths.clear();
    add(sweepPart(0, firstPart));
    request.widths = sweepWidths(problem.problem, options.nufft, request.alphas);
    if (!request.widths.empty()) add(sweepPart(firstPart, 1));
  };
  sweepBoth([&](double from, double to) {
    return spokelab::sweep(timed, request, context.progress.part(from * plain, to * plain), context.seen);
  });
  if (!layers.empty())
    sweepBoth([&](double from, double to) {
      const Progress part = context.progress.part(plain + from * (1 - plain), plain + to * (1 - plain));
      return sweepLayers(layers, request, part, context.seen);
    });
  all.best = fastest(all, request.base);
  all.reason = all.best >= 0 ? reasonFor(all, request.base) : "No plan that was timed meets the accuracy";
  return all;
}

}  // namespace spokelab
