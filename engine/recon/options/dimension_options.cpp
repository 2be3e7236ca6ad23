#include "engine/recon/options/dimension_options.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/recon/options/options.h"

namespace spokelab {
namespace {

// "16x16x8": a value a dimension, 1 to `most`; 1 where there are fewer, zeros for auto.
template <class T>
std::array<T, 3> perDimension(const std::string& name, const std::string& text, T most,
                              const std::string& what) {
  if (text == automaticOption || text == "0") return {};
  auto values = threeNumbers<T>(text);
  const auto fits = [&](T value) { return value == 0 || (value >= 1 && value <= most); };
  if (!values || !std::all_of(values->begin(), values->end(), fits))
    throw Error("Cannot use " + name + " = " + text, "it is not a list of " + what, "Write them, or auto");
  std::replace(values->begin(), values->end(), T(0), T(1));
  return *values;
}

template <class T, class Text>
std::string perDimensionText(const std::array<T, 3>& values, Text text) {
  if (values == std::array<T, 3>{}) return std::string(automaticOption);
  return text(values[0]) + 'x' + text(values[1]) + 'x' + text(values[2]);
}

}  // namespace

void addBins(OptionTable<ReconOptions>& table) {
  OptionSpec spec =
      optionSpec(OptionType::text, "bins", "Bin size",
                 "Bin or tile size in grid cells along x, y, z, as in 16x16x8; auto: the method's choice",
                 "Plan", "grid cells");
  spec.automatic = true;
  table.add(
      std::move(spec),
      [](const ReconOptions& o) {
        return perDimensionText(o.nufft.bins, [](std::int64_t n) { return std::to_string(n); });
      },
      [](ReconOptions& o, const std::string& text) {
        o.nufft.bins =
            perDimension("bins", text, std::numeric_limits<std::int64_t>::max(), "sizes like 16x16x8");
      });
}

void addAxisAlpha(OptionTable<ReconOptions>& table) {
  OptionSpec spec = optionSpec(
      OptionType::text, "axis-alpha", "Least α of each dimension",
      "Least oversampling ratios of the grid along x, y, z, as in 1x1x2 (1: no more than α); the kernel "
      "follows α; auto: α everywhere",
      "Plan");
  spec.automatic = true;
  table.add(
      std::move(spec),
      [](const ReconOptions& o) { return perDimensionText(o.nufft.axisAlpha, exactNumberText); },
      [](ReconOptions& o, const std::string& text) {
        o.nufft.axisAlpha = perDimension("axis-alpha", text, maxAlpha, "ratios from 1 to 2.5, like 1x1.5x2");
      });
}

}  // namespace spokelab
