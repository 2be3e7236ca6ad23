// SENSE and pcSENSE of the frames and slices of a job: maps, weights, transform and iterations.
#pragma once

#include "engine/recon/run/recipe_run.h"

namespace spokelab {

// Keeps a plan for the next frame or slice, and coil maps in memory. A cancel keeps its last image.
std::unique_ptr<RecipeRun> senseFrames(RunContext& context, const Progress& progress);

}  // namespace spokelab
