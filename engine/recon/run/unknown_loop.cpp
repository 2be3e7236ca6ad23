#include "engine/recon/run/unknown_loop.h"

#include <algorithm>

namespace spokelab {

void loopOverUnknowns(RunContext& context, RecipeRun& recipe, const Progress& progress) {
  const std::vector<int>&frames = context.frames, &slices = context.job.slices;
  const std::size_t atOnce = recipe.framesAtOnce();
  const double steps = double(frames.size() * slices.size());
  for (std::size_t begin = 0; begin < frames.size(); begin += atOnce) {
    const double began = now();
    const std::size_t count = std::min(atOnce, frames.size() - begin), end = begin + count;
    const auto block = std::span(frames).subspan(begin, count);
    for (std::size_t s = 0; s < slices.size(); ++s) {
      const bool lastFrames = end == frames.size();
      const Unknown unknown{block, begin, slices[s], s, lastFrames, lastFrames && s + 1 == slices.size()};
      const auto done = double(begin * slices.size() + s * count);
      const Progress part = progress.part(done / steps, (done + double(count)) / steps);
      recipe.prepare(unknown, part.part(0, recipe.prepareShare()));
      if (s == 0 && !lastFrames)
        sendAhead(context.sender, context.scan, frames[end], slices, context.ownCoils());
      recipe.solve(unknown, part.part(recipe.prepareShare(), 1));
      recipe.place(unknown);
      tellStep();
    }
    for (const int frame : block) forgetSent(context.sender, context.scan, frame, slices, context.ownCoils());
    context.complete = int(end);
    // Frames share their block's time evenly; the first waited for the plan and the coil maps.
    std::vector<double>& seconds = context.result.frameSeconds;
    seconds.insert(seconds.end(), count - (begin == 0 ? 1 : 0), (now() - began) / double(count));
  }
}

}  // namespace spokelab
