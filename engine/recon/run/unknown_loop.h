// The loop of every reconstruction: prepare, solve and place one unknown after the other. It sends
// the samples of the next frames ahead, tells progress, and times the frames.
#pragma once

#include "engine/recon/run/recipe_run.h"

namespace spokelab {

// Throws Error; Cancelled, with the frames that are complete in the context.
void loopOverUnknowns(RunContext& context, RecipeRun& recipe, const Progress& progress);

}  // namespace spokelab
