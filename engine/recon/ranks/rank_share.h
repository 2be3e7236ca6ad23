// What each rank of a job reconstructs: frames, else slices, else coils, else slabs of a volume,
// whichever divides best.
#pragma once

#include <vector>

#include "engine/core/jobs/ranks.h"

namespace spokelab {

enum class RankAxis { frames, slices, coils, slabs };
std::string_view rankAxisName(RankAxis);  // "frames", "slices", "coils", "slabs"

// Of a job: what it has to divide. coils, slabs 1: they are not divided.
struct RankWork {
  int frames = 1, slices = 1, coils = 1, slabs = 1;
};

// speeds: of each rank (rank_speed.h); only their ratios count.
// The axis that leaves ranks waiting least; where two are alike the earlier one, as coils wait for
// each other in each iteration. Throws Error where there are more ranks than any has parts.
RankAxis rankAxis(const RankWork& work, const std::vector<double>& speeds);
// The shares of [0, count) of all ranks, in their order: consecutive numbers, one at least, so many that the last
// rank is ready as early as can be. count: at least as many as ranks.
std::vector<std::vector<int>> rankShares(int count, const std::vector<double>& speeds);

}  // namespace spokelab
