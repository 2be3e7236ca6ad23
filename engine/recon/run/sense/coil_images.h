// The images of all coils as one unknown, without coil maps: each coil has its own samples, and the
// functional compares the coils (joint_solver.h, whose frames they are). The result is the root of
// their sum of squares.
#pragma once

#include "engine/recon/run/recipe_run.h"

namespace spokelab {

std::unique_ptr<RecipeRun> coilImages(RunContext& context, const Progress& progress);

}  // namespace spokelab
