// Shared by the recipes of SENSE: a watcher for their iterations, and a solution's way into the
// result, for every kind of unknown.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/recon/run/recipe_run.h"

namespace spokelab {

// The user's watcher, told which frame and slice it sees. It sees, and may give back, images of
// the samples as they were, not times 2^sampleScaleExponent. options outlive it.
IterationWatcher watcherOf(const IterativeOptions& options, int frame, int slice, int sampleScaleExponent);

// Copies an image to its place, unless it is there already (pixels 0) or has none (null).
template <class Complex>
void keepImage(const Complex* image, std::size_t pixels, Complex* place) {
  constexpr std::int64_t pixelsPerTask = 1 << 16;
  if (pixels == 0 || !place) return;
  parallelFor(std::int64_t(pixels), 0, pixelsPerTask, [&](std::int64_t begin, std::int64_t end) {
    std::copy(image + begin, image + end, place + begin);
  });
}

// Moves all of a solution but its images into context.result. solver.lambda becomes the user's last
// choice during this solve, for later slices and frames.
void recordSolution(RunContext& context, SenseSolution& solution, int frame, int slice,
                    const std::vector<std::string>& notes, IterationOptions& solver);

}  // namespace spokelab
