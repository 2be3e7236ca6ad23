// Finds the fastest plan for a workload at an accuracy. The cost model ([gnufftw] eq. 9) orders the
// candidates (backend x method x alpha x W) that the error model admits, by the whole cost of an
// execution (workload.h). Timing decides.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/measure/machine_load.h"
#include "engine/core/progress.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/problem/path.h"
#include "engine/nufft/problem/workload.h"
#include "engine/nufft/tune/tune_effort.h"

namespace spokelab {

class Wisdom;

// One way to compute the transform, with its predictions and its measurements.
struct Candidate {
  std::string backend;
  Path path;             // with a field, `options` are of its NUFFTs, at the whole accuracy
  NufftOptions options;  // alpha, width, methods and bins are chosen
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
  double seconds = 0;        // the whole cost of an execution in the request's workload; 0: see cost()
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
  // Relative l2 error of what the request's direction does. The errors of the two transforms of a
  // gridded normal operator are taken to add in phase where it was not looked at with its points.
  double predictedError() const {
    return predictedNormalError > 0 ? predictedNormalError
                                    : predicted.relativeL2 / transformShare(options.normal);
  }
  CostParts parts() const { return {planSeconds, setPointsSeconds, timings.total, transferSeconds}; }
};

struct TuneRequest {
  NufftProblem problem;
  std::span<const double> points;   // [M, dims], cycles per pixel; must outlive the call
  std::span<const double> weights;  // for Direction::normal; may be empty
  // The accuracy, and the options that the user fixed (alpha, width, methods, kernel, threads).
  NufftOptions options;
  TuneEffort effort = TuneEffort::measure;
  Workload workload;
  int trials = 0;               // repeats of a candidate; 0: chosen from its time and spread
  double timeLimit = 0;         // seconds; 0: by effort (measure: 1 s or so, exhaustive: none)
  double maxSearchSeconds = 0;  // upper bound of Measure's own limit; 0: 0.9
  bool measureError = false;    // fill in Candidate::measuredError
  // Measure times some candidates even if a single one takes more than a second. Without the switch
  // the cost model decides then.
  bool mustTime = false;
  std::string pathClass;  // the field in wisdom's key; empty: none
};

// Cost of the switch `reproducible`: measured seconds of an execution in the request's workload.
struct ReproducibleCost {
  double with = 0;     // the plan that repeats; 0: not known
  double without = 0;  // the fastest plan
  bool known() const { return with > 0 && without > 0; }
};

struct TuneResult {
  std::vector<Candidate> candidates;  // in the order in which they were tried
  int best = -1;                      // index; -1: nothing could run
  std::string reason;                 // one sentence: why it won
  Workload workload;                  // what was tuned for
  bool fromWisdom = false;
  bool cancelled = false;  // best is then the best so far
  // The time limit ended an exhaustive search; `best` is the best of the timed plans.
  bool cutShort = false;
  // Measure timed so few plans that the choice may be poor. Wisdom does not keep it.
  bool isThin = false;
  int timedEarlier = 0;  // candidates timed by the stopped exhaustive search that this one continues
  double seconds = 0;
  MachineLoad load;  // during a sweep
  // Largest share by which the best may be slower than another timed plan, by a sweep's repeats;
  // negative: not known.
  double behind = -1;
  ReproducibleCost reproducible;
};

// `seen` gets each timed candidate on the calling thread. Throws Error if no candidate meets the
// accuracy, with the reason and the accuracy that can be met.
TuneResult tune(std::span<NufftBackend* const> backends, const TuneRequest& request, Wisdom* wisdom,
                const Progress& progress, const std::function<void(const Candidate&)>& seen = {});

}  // namespace spokelab
