// Tries a plug-in on a request, in a child process: whether it comes to an end there, how large its
// error is against the exact sums, and whether a batch gives what its images give one by one.
#pragma once

#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

struct PluginTrial {
  double accuracy = 0;       // to ask the plug-in for, so that the request's is met
  double measuredError = 0;  // then, as measureError measures it
  double planSeconds = 0, pointsSeconds = 0;
  double executionSeconds = 0;  // once, of the request's direction; of a part of the points and batch
};

// The plug-in is asked for the request's accuracy, then for a third and a tenth of it. Of the points
// at most some 10^5 are used, of the batch four images. A normal operator is judged by its two
// transforms. Throws Error where a step crashes, takes longer than `seconds` or fails, and where the
// error stays above the accuracy; Cancelled.
PluginTrial tryPlugin(const PluginInfo& info, const TuneRequest& request, double alpha, double seconds,
                      const Progress& progress);

}  // namespace spokelab
