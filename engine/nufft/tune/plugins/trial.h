// Tries a plug-in on a request, in a child process: it must end without a crash, its error against
// exact sums must be small enough, and a batch must give the same as single images.
#pragma once

#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

struct PluginTrial {
  double accuracy = 0;       // asked of the plug-in, to meet the request's
  double measuredError = 0;  // by measureError, at this accuracy
  double planSeconds = 0, pointsSeconds = 0;
  double executionSeconds = 0;  // one run, on a part of the points and batch
};

// The options of a plug-in's plan: its normal operator is always the gridded one.
inline NufftOptions pluginOptions(const TuneRequest& request) {
  NufftOptions options = request.options;
  if (request.workload.direction == Direction::normal) options.normal = NormalMethod::gridded;
  return options;
}

// The plug-in is asked for the request's accuracy, then for a third and a tenth of it. Of the
// points at most some 10^5 are used, of the batch four images. A normal operator is judged by its
// two transforms, of which each may err by half. Throws Error where a step crashes, takes longer
// than `seconds` or fails, and where the error stays above the accuracy; Cancelled.
PluginTrial tryPlugin(const PluginInfo& info, const TuneRequest& request, double alpha, double seconds,
                      const Progress& progress);

}  // namespace spokelab
