// Exact type 3 sums in double precision, the reference for transforms (type3_transform.h).
#pragma once

#include <span>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/type3/type3_transform.h"

namespace spokelab {

// Transforms one image of the batch from source values to target values, or back if adjoint, at the
// selected outputs or at all (selection empty). Costs sources times targets. Throws Cancelled, and
// Error if counts do not fit.
std::vector<cdouble> type3Exact(const Type3Problem& problem, std::span<const double> sources,
                                std::span<const double> targets, std::span<const cdouble> values,
                                bool adjoint, std::span<const std::int64_t> selection = {}, int threads = 0,
                                const Progress& progress = {});

}  // namespace spokelab
