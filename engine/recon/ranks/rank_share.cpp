#include "engine/recon/ranks/rank_share.h"

#include <algorithm>
#include <array>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

// Of the ranks' time that is worked, where each part takes the same.
double efficiency(int parts, int ranks) {
  if (parts < ranks) return 0;
  const int most = (parts + ranks - 1) / ranks;
  return double(parts) / (double(most) * ranks);
}

}  // namespace

std::string_view rankAxisName(RankAxis axis) {
  constexpr std::array<std::string_view, 3> names = {"frames", "slices", "coils"};
  return names[std::size_t(axis)];
}

RankAxis rankAxis(const RankWork& work, int ranks) {
  constexpr double minGain = 1.25;  // of an axis that is farther down the list
  const std::array<int, 3> parts = {work.frames, work.slices, work.coils};
  double best = 0;
  std::size_t chosen = 0;
  for (std::size_t axis = 0; axis < parts.size(); ++axis)
    if (const double found = efficiency(parts[axis], ranks); found > minGain * best) {
      best = found;
      chosen = axis;
    }
  if (best > 0) return RankAxis(chosen);
  throw Error("Cannot divide the job over " + countText(ranks, "rank"),
              "it has " + countText(work.frames, "frame") + ", " + countText(work.slices, "slice") + " and " +
                  countText(work.coils, "coil") + " that can be divided",
              "Start at most " + std::to_string(*std::max_element(parts.begin(), parts.end())));
}

std::vector<int> rankShare(int count, int rank, int ranks) {
  std::vector<int> own;
  const auto first = [&](int r) { return int(std::int64_t(count) * r / ranks); };
  for (int i = first(rank); i < first(rank + 1); ++i) own.push_back(i);
  return own;
}

}  // namespace spokelab
