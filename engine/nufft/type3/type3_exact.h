// The exact sums of type 3 in double precision: what transforms (type3_transform.h) are compared with.
#pragma once

#include <span>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/type3/type3_transform.h"

namespace spokelab {

// One image of the batch: values of the sources -> of the targets (adjoint: the other way round), at the chosen
// ones, or at all (selection empty). Costs sources times targets. Throws Cancelled, and Error where a number does
// not fit.
std::vector<cdouble> type3Exact(const Type3Problem& problem, std::span<const double> sources,
                                std::span<const double> targets, std::span<const cdouble> values,
                                bool adjoint, std::span<const std::int64_t> selection = {}, int threads = 0,
                                const Progress& progress = {});

}  // namespace spokelab
