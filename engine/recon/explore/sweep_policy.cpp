#include "engine/recon/explore/sweep_policy.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/search/tune_estimate.h"

namespace spokelab {
namespace {

constexpr double minSweptWidth = 2;     // grid cells
constexpr double widthMarginBelow = 1;  // grid cells below the narrowest that an alpha needs
constexpr double maxSweptWidths = 7;    // beyond, the step between widths grows

std::string listText(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ",") + exactNumberText(value);
  return text;
}

}  // namespace

std::vector<double> sweepAlphas(const NufftProblem& problem, const NufftOptions& options, std::size_t count) {
  std::vector<double> usable;
  for (const double alpha : fastAlphas(problem, options.axisAlpha))
    if (smallestWidth(problem, options.kernel, alpha, transformAccuracy(options)) > 0)
      usable.push_back(alpha);
  if (usable.empty())
    throw Error("Cannot choose oversampling ratios", "none of the fast ones meets the accuracy",
                "Ask for less accuracy, use double precision, or name them with --alphas");
  if (usable.size() <= count) return usable;
  if (count == 1) return {usable.back()};
  std::vector<double> picked;
  for (std::size_t i = 0; i < count; ++i) picked.push_back(usable[i * (usable.size() - 1) / (count - 1)]);
  return picked;
}

std::vector<double> sweepWidths(const NufftProblem& problem, const NufftOptions& options,
                                const std::vector<double>& alphas) {
  double low = maxKernelWidth, high = 0;
  for (const double alpha : alphas) {
    const double width = smallestWidth(problem, options.kernel, alpha, transformAccuracy(options));
    if (width <= 0) continue;
    low = std::min(low, width);
    high = std::max(high, width);
  }
  std::vector<double> widths;
  if (high <= 0) return widths;
  const double first = std::max(minSweptWidth, std::floor(low) - widthMarginBelow);
  const double last = std::min(maxKernelWidth, std::ceil(high));
  const double step = std::max(1.0, std::ceil((last - first + 1) / maxSweptWidths));
  for (double width = first; width <= last; width += step) widths.push_back(width);
  return widths;
}

namespace {

struct PolicySweep {
  TuneRequest base;
  std::vector<RoundEntry> entries;
};

// data: null where nothing will be timed.
PolicySweep policySweep(const std::vector<Backend*>& backends, const TuneRequest& base,
                        const SweepPolicy& policy, const std::shared_ptr<TimingData>& data,
                        const Progress& progress) {
  SweepRequest request{base, sweptOver(base), policy.alphas, {}};
  request.base.options.alpha = request.base.options.width = 0;
  const NufftOptions& options = request.base.options;
  if (request.alphas.empty()) request.alphas = sweepAlphas(base.problem, options);
  const std::vector<NufftBackend*> timed(backends.begin(), backends.end());
  const std::vector<SweepLayer> layers = sweepLayers(backends, request.base, policy.breadth);
  std::vector<SweepLayer> onGrid;  // the others have no widths
  for (const SweepLayer& layer : layers)
    if (layer.over == SweptOver::grid) onGrid.push_back(layer);
  std::vector<double> wholeWidths;
  if (policy.wholeWidths)
    wholeWidths = sweepWidths(base.problem, sweptRequest(request.base).options, request.alphas);

  PolicySweep all{request.base, {}};
  const auto add = [&](std::vector<RoundEntry> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all.entries));
  };
  const bool again = !wholeWidths.empty();
  request.widths = policy.widths;
  SweepRequest wholeWidthRequest = request;
  wholeWidthRequest.widths = wholeWidths;
  std::vector<NufftBackend*> withWidths;  // plug-ins have none, and are timed once
  for (NufftBackend* backend : timed)
    if (!isPlugin(backend->name())) withWidths.push_back(backend);
  add(sweepEntries(timed, request, data, progress));
  if (again && request.over == SweptOver::grid)
    add(sweepEntries(withWidths, wholeWidthRequest, data, progress));
  add(layerEntries(layers, request, data, progress));
  if (again) add(layerEntries(onGrid, wholeWidthRequest, data, progress));
  if (policy.select) policy.select(all.entries);
  return all;
}

}  // namespace

TuneResult sweepByPolicy(const std::vector<Backend*>& backends, const TuneRequest& base,
                         const SweepPolicy& policy, const Progress& progress,
                         const std::function<void(const Candidate&)>& seen) {
  PolicySweep sweep = policySweep(backends, base, policy, std::make_shared<TimingData>(base), progress);
  TuneResult result = timeEntries(std::move(sweep.entries), sweep.base, progress, seen);
  if (result.cancelled) throw Cancelled{};
  return result;
}

SweepEstimate estimateSweep(const std::vector<Backend*>& backends, const TuneRequest& base,
                            const SweepPolicy& policy, const Progress& progress) {
  PolicySweep all = policySweep(backends, base, policy, nullptr, progress);
  return {int(all.entries.size()), expectedSeconds(all.entries, RoundLimits(all.base), base.measureError)};
}

std::string estimateText(const SweepEstimate& estimate) {
  return countText(estimate.plans, "plan") + ", about " + durationText(estimate.seconds);
}

std::vector<std::string> sweepArguments(const SweepPolicy& policy) {
  std::vector<std::string> words;
  const auto add = [&](const char* option, const std::string& list) {
    if (!list.empty()) words.insert(words.end(), {option, list});
  };
  add("--alphas", listText(policy.alphas));
  add("--widths", listText(policy.widths));
  if (policy.wholeWidths) words.emplace_back("--whole-widths");
  if (!(policy.breadth == SweepBreadth{})) add("--over", breadthText(policy.breadth));
  return words;
}

}  // namespace spokelab
