// Gridding: one weighted adjoint,
//   image[n] = N^{-d} sum_j w_j y_j e^{+2 pi i n . k_j}   ([formulas]), by coil, then combined.
// w: DensityWeights in (cycles/FOV)^d; y as in the scan; n from -floor(N/2); image x fastest,
// [frame, z, y, x].
#pragma once

#include "engine/recon/run/recipe_run.h"

namespace spokelab {

// The run with a plan: the tuner's, the options', or what `tune` finds for the backend.
std::unique_ptr<RecipeRun> griddingRun(RunContext& context, const Progress& progress);
// The run by exact sums in double precision (nudft), without a plan.
std::unique_ptr<RecipeRun> exactRun(RunContext& context, const Progress& progress);

}  // namespace spokelab
