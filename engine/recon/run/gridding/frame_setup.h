// The points and density weights of a frame, for gridding.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/recon/run/recipe_run.h"

namespace spokelab {

// Points of one frame in cycles per pixel, its weights with the N^{-d} of gridding folded in.
struct FrameSetup {
  Buffer<double> points, weights;
  std::string origin;
};
// Several are made side by side where their weights take no transforms.
std::vector<FrameSetup> setupFrames(const RunContext& context, std::span<const int> frames,
                                    const Progress& progress);

}  // namespace spokelab
