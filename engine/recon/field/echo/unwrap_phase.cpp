#include "engine/recon/field/echo/unwrap_phase.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <queue>

namespace spokelab {
namespace {

struct PixelPair {
  double reliability;
  std::int64_t from, to;
  bool operator<(const PixelPair& other) const { return reliability < other.reliability; }
};

}  // namespace

double wrappedPhase(double phase) {
  return phase - 2 * std::numbers::pi * std::nearbyint(phase / (2 * std::numbers::pi));
}

UnwrappedPhase unwrapPhase(std::span<const double> phase, std::span<const double> quality, const Index3& size,
                           const Progress& progress) {
  constexpr std::int64_t pairsBetweenChecks = 1 << 16;
  UnwrappedPhase result;
  result.phase.assign(phase.begin(), phase.end());
  result.region.assign(phase.size(), -1);
  std::vector<std::int64_t> seeds(phase.size());
  std::iota(seeds.begin(), seeds.end(), std::int64_t(0));
  std::stable_sort(seeds.begin(), seeds.end(), [&](std::int64_t a, std::int64_t b) {
    return quality[std::size_t(a)] > quality[std::size_t(b)];
  });
  const std::array<std::int64_t, 3> steps{1, size[0], size[0] * size[1]};
  std::priority_queue<PixelPair> border;
  std::int64_t looked = 0;
  const auto reach = [&](std::int64_t pixel) {
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t at = pixel / steps[d] % size[d];
      for (const int side : {-1, 1}) {
        if (at + side < 0 || at + side >= size[d]) continue;
        const std::int64_t next = pixel + side * steps[d];
        const double q = quality[std::size_t(next)];
        if (q <= 0 || result.region[std::size_t(next)] >= 0) continue;
        const double step = std::abs(wrappedPhase(phase[std::size_t(next)] - phase[std::size_t(pixel)]));
        border.push({std::min(q, quality[std::size_t(pixel)]) * (1 - step / std::numbers::pi), pixel, next});
      }
    }
  };
  for (const std::int64_t seed : seeds) {
    if (quality[std::size_t(seed)] <= 0) break;
    if (result.region[std::size_t(seed)] >= 0) continue;
    const int region = result.regions++;
    result.region[std::size_t(seed)] = region;
    for (reach(seed); !border.empty();) {
      if (++looked % pairsBetweenChecks == 0) progress.checkpoint();
      const PixelPair pair = border.top();
      border.pop();
      if (result.region[std::size_t(pair.to)] >= 0) continue;
      const double before = result.phase[std::size_t(pair.from)];
      result.phase[std::size_t(pair.to)] = before + wrappedPhase(phase[std::size_t(pair.to)] - before);
      result.region[std::size_t(pair.to)] = region;
      reach(pair.to);
    }
  }
  return result;
}

}  // namespace spokelab
