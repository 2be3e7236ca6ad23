// A candidate of a search for the fastest plan (tune.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/stage_timer.h"
#include "engine/nufft/kernel/predicted_error.h"
#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/path.h"
#include "engine/nufft/problem/workload.h"

namespace spokelab {

// One way to compute the transform, with its predictions and its measurements.
struct Candidate {
  std::string backend;
  Path path;              // with a field, `options` are of its NUFFTs, at the whole accuracy
  NufftOptions options;   // alpha, width, methods and bins are chosen
  double innerAlpha = 0;  // type 3: ratio of the inner transform's grid; 0: by predicted work
  Index3 grid{1, 1, 1};
  PredictedError predicted;
  CostParts predictedParts;     // by the cost model
  double predictedSeconds = 0;  // whole cost in the request's workload
  // Promised costs (cost_model.h); 0: use the predicted cost.
  CostParts promisedParts;
  double promisedSeconds = 0;
  StageTimings timings;  // the repeat of the median total; total == 0: not timed
  double spread = 0;     // (p75 - p25) / median of the totals
  int repeats = 0;
  // Totals of the repeats in order of time; empty if read from an earlier version's file.
  std::vector<double> runs;
  double planSeconds = 0;  // to make the plan
  double setPointsSeconds = 0;
  // Copies between host and GPU in the last run; not part of `timings`.
  double transferSeconds = 0;
  // The whole cost of an execution in the request's workload; 0: see cost().
  double seconds = 0;
  double searchSeconds = 0;  // a winner's search took this long; 0: not known
  std::string outlook;       // a winner's sentence: the choice for more or fewer executions
  // Error of a timed normal operator; 0: not known. `predicted` is its transforms' error.
  double predictedNormalError = 0;
  // Relative l2 error against nudft on random outputs, if requested.
  std::optional<double> measuredError;
  std::int64_t memory = 0;
  std::string refused;  // why it could not run, or empty

  bool timed() const { return timings.total > 0; }
  // Cost of the execution alone if no other cost is known.
  double cost() const { return seconds > 0 ? seconds : timings.total; }
  // Cost that points, plan and copies add to each execution.
  double setUp() const { return cost() - timings.total; }
  // Predicted relative l2 error in the request's direction. Without a prediction for the points
  // (predictedNormalError), the errors of the two transforms of a gridded normal operator are taken
  // to add in phase.
  double predictedError() const {
    return predictedNormalError > 0 ? predictedNormalError
                                    : predicted.relativeL2 / transformShare(options.normal);
  }
  CostParts parts() const { return {planSeconds, setPointsSeconds, timings.total, transferSeconds}; }
};

}  // namespace spokelab
