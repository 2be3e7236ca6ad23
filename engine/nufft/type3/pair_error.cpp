#include "engine/nufft/type3/pair_error.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace spokelab {
namespace {

using std::numbers::pi;

constexpr std::int64_t maxPairs = 32;
constexpr std::int64_t fewPoints = 8;  // points taken of each side if both have more

// Kernel values at the cells around a place: value[i] at first + i, relative to the place.
struct Window {
  double first;
  std::vector<double> value;

  Window(const Kernel& kernel, double place) : first(std::ceil(place - 0.5 * kernel.width()) - place) {
    for (double u = first; u <= 0.5 * kernel.width(); u += 1) value.push_back(kernel(u));
  }
  // sum value e^{-2 pi i u turns}
  cdouble sum(double turns) const {
    const cdouble turn = std::polar(1.0, -2 * pi * turns);
    cdouble sum = 0;
    for (std::size_t i = value.size(); i-- > 0;) sum = sum * turn + value[i];
    return sum * std::polar(1.0, -2 * pi * turns * first);
  }
};

// K - 1 along a dimension. around: outer kernel at u; t: target, cycles a cell; target: inner
// kernel.
cdouble errorOfPair(const Kernel& outer, const Window& around, const Kernel& inner, const Window& target,
                    double cells, double u, double t) {
  cdouble sum = 0;
  for (std::size_t i = 0; i < around.value.size(); ++i) {
    const double away = around.first + double(i), m = std::nearbyint(u + away);
    sum += around.value[i] * std::polar(1.0, -2 * pi * away * t) * target.sum(m / cells) /
           inner.transform(m / cells);
  }
  return sum / outer.transform(t) - 1.0;
}

// `count` evenly spaced indices below `all`.
std::vector<std::int64_t> spreadOut(std::int64_t all, std::int64_t count) {
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i < count; ++i) chosen.push_back(i * all / count);
  return chosen;
}

}  // namespace

double pairError(const Outer& outer, const Kernel& kernel, const InnerGrid& inner, const Extent& sourceBox,
                 std::span<const double> sources, const Extent& targetBox, std::span<const double> targets,
                 int dims) {
  const std::int64_t allSources = std::int64_t(sources.size()) / dims,
                     allTargets = std::int64_t(targets.size()) / dims;
  if (allSources == 0 || allTargets == 0) return 0;
  const std::int64_t someTargets = std::min(allTargets, maxPairs / std::min(allSources, fewPoints));
  const std::int64_t someSources = std::min(allSources, maxPairs / someTargets);
  double sum = 0;
  for (const std::int64_t j : spreadOut(allSources, someSources))
    for (const std::int64_t k : spreadOut(allTargets, someTargets)) {
      cdouble error = 0;  // of the product so far
      for (int d = 0; d < dims; ++d) {
        const auto at = std::size_t(d);
        const double u = (sources[std::size_t(j * dims + d)] - sourceBox.middle[at]) / outer.spacing[at];
        const double t = (targets[std::size_t(k * dims + d)] - targetBox.middle[at]) * outer.spacing[at];
        const double cells = double(inner.grid[at]);
        error += (1.0 + error) * errorOfPair(kernel, Window(kernel, u), inner.kernel,
                                             Window(inner.kernel, cells * t), cells, u, t);
      }
      sum += std::norm(error);
    }
  return std::sqrt(sum / double(someSources * someTargets));
}

}  // namespace spokelab
