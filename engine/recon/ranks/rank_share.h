// The part of a job that each rank reconstructs: frames, slices, coils or slabs of a volume,
// whichever divides best.
#pragma once

#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/recon/job/job_plan.h"

namespace spokelab {

enum class RankAxis { frames, slices, coils, slabs };
std::string_view rankAxisName(RankAxis);  // "frames", "slices", "coils", "slabs"

// The axis along which ranks wait least for each other. A later axis of RankAxis is taken only if
// it makes the ranks 1.25 times as efficient, as coils wait for each other in each iteration.
// speeds: of each rank (rank_speed.h); only their ratios count. Throws Error where no axis has a
// part for each rank.
RankAxis rankAxis(const JobParts& parts, const std::vector<double>& speeds);
// The shares of [0, count) of all ranks, in their order: consecutive numbers, at least one each, so
// that the last rank is ready as early as possible. count: at least the number of ranks.
std::vector<std::vector<int>> rankShares(int count, const std::vector<double>& speeds);

}  // namespace spokelab
