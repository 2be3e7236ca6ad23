#include "engine/recon/ranks/rank_share.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

// Number of parts of each rank: one, then each further part to the rank that is ready first.
std::vector<int> counts(int parts, const std::vector<double>& speeds) {
  std::vector<int> counts(speeds.size(), 1);
  for (int left = parts - int(speeds.size()); left > 0; --left) {
    const auto ready = [&](std::size_t r) { return (counts[r] + 1) / speeds[r]; };
    std::size_t next = 0;
    for (std::size_t r = 1; r < speeds.size(); ++r)
      if (ready(r) < ready(next)) next = r;
    ++counts[next];
  }
  return counts;
}

// The share of the ranks' time in which they work, if all parts are the same work.
double efficiency(int parts, const std::vector<double>& speeds) {
  if (parts < int(speeds.size())) return 0;
  const std::vector<int> shares = counts(parts, speeds);
  double last = 0;
  for (std::size_t r = 0; r < speeds.size(); ++r) last = std::max(last, shares[r] / speeds[r]);
  return parts / (last * std::accumulate(speeds.begin(), speeds.end(), 0.0));
}

}  // namespace

std::string_view rankAxisName(RankAxis axis) {
  constexpr std::array<std::string_view, 4> names = {"frames", "slices", "coils", "slabs"};
  return names[std::size_t(axis)];
}

RankAxis rankAxis(const JobParts& parts, const std::vector<double>& speeds) {
  constexpr double minGain = 1.25;  // of an axis that is farther down the list
  const std::array<int, 4> counts = {parts.frames, parts.slices, parts.coils, parts.slabs};
  double best = 0;
  std::size_t chosen = 0;
  for (std::size_t axis = 0; axis < counts.size(); ++axis)
    if (const double found = efficiency(counts[axis], speeds); found > minGain * best) {
      best = found;
      chosen = axis;
    }
  if (best > 0) return RankAxis(chosen);
  throw Error("Cannot divide the job over " + countText(std::int64_t(speeds.size()), "rank"),
              "it has " + countText(parts.frames, "frame") + ", " + countText(parts.slices, "slice") + ", " +
                  countText(parts.coils, "coil") + " and " + countText(parts.slabs, "slab") +
                  " that can be divided",
              "Start at most " + std::to_string(parts.most()));
}

std::vector<std::vector<int>> rankShares(int count, const std::vector<double>& speeds) {
  std::vector<std::vector<int>> shares;
  int next = 0;
  for (const int itemCount : counts(count, speeds)) {
    shares.emplace_back(std::size_t(itemCount));
    std::iota(shares.back().begin(), shares.back().end(), next);
    next += itemCount;
  }
  return shares;
}

}  // namespace spokelab
