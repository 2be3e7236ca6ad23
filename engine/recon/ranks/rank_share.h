// What each rank of a job reconstructs: frames, else slices, else coils, whichever divides best.
#pragma once

#include <vector>

#include "engine/core/jobs/ranks.h"

namespace spokelab {

enum class RankAxis { frames, slices, coils };
std::string_view rankAxisName(RankAxis);  // "frames", "slices", "coils"

// Of a job: what it has to divide. coils 1: they are not divided.
struct RankWork {
  int frames = 1, slices = 1, coils = 1;
};

// The axis that leaves ranks waiting least; where two are alike the earlier one, as coils wait for
// each other in each iteration. Throws Error where there are more ranks than any has parts.
RankAxis rankAxis(const RankWork& work, int ranks);
// The share of [0, count) of a rank: consecutive numbers, as many as others or one more.
std::vector<int> rankShare(int count, int rank, int ranks);

}  // namespace spokelab
