// Frames whose points differ (a sliding window, a golden angle), gridded several at a time: their
// points are set in one call and transformed together (nufft/problem/plan_points.h), since one
// small frame fills neither a GPU nor the threads of a CPU.
#pragma once

#include <memory>

#include "engine/recon/run/gridding/gridder.h"

namespace spokelab {

// options: of the plan that was chosen; methods that take only one set of points are replaced by
// ones that take several, unless they were asked for (`methodsFixed`, or by the job's options).
// Null where frames are gridded one by one, or no plan takes them together.
template <class Real>
std::unique_ptr<Gridder> gridderOfFrames(RunContext& context, const NufftOptions& options, bool methodsFixed);

}  // namespace spokelab
