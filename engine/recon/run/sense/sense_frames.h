// SENSE and pcSENSE of the frames and slices of a job: maps, weights, transform and iterations.
#pragma once

#include "engine/recon/run/recipe_run.h"

namespace spokelab {

// A plan that serves the next frame or slice is kept, and so are coil maps of slices that memory
// holds. A cancel keeps the last image of the frame that was under way.
std::unique_ptr<RecipeRun> senseFrames(RunContext& context, const Progress& progress);

}  // namespace spokelab
