// SENSE of all frames of a slice together, each with its points: maps, transforms, iterations.
#pragma once

#include "engine/recon/run/recipe_run.h"

namespace spokelab {

// An unknown is all frames of a slice. A cancel keeps their last images.
std::unique_ptr<RecipeRun> jointFrames(RunContext& context, const Progress& progress);

}  // namespace spokelab
