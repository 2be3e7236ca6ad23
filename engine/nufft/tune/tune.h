// Finds the plan that meets an accuracy and serves a workload fastest. Candidates (backend x method
// x alpha x W) that the error model admits are ordered by the cost model ([gnufftw] eq. 9) and timed;
// timing decides. What orders them is the whole cost of an execution (workload.h).
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
  Path path;  // where a field acts; `options` are then those of its NUFFTs, the accuracy that of the whole
  NufftOptions options;  // alpha, width, methods and bins are chosen
  Index3 grid{1, 1, 1};
  PredictedError predicted;
  CostParts predictedParts;     // by the cost model
  double predictedSeconds = 0;  // their whole cost in the request's workload
  // The same at best (cost_model.h); 0: not promised, what is predicted counts.
  CostParts promisedParts;
  double promisedSeconds = 0;
  StageTimings timings;  // the repeat of the median total; total == 0: not timed
  double spread = 0;     // (p75 - p25) / median of the totals
  int repeats = 0;
  // Totals of the repeats, as they came; empty: read from a file of an earlier version.
  std::vector<double> runs;
  double planSeconds = 0;  // to make the plan
  double setPointsSeconds = 0;
  // Copies between host and GPU in the last run; not part of `timings`.
  double transferSeconds = 0;
  double seconds = 0;        // the whole cost of an execution in the request's workload; 0: see cost()
  double searchSeconds = 0;  // of a winner: how long the search took that chose it; 0: not known
  std::string outlook;       // of a winner: what more or fewer executions would choose, in a sentence
  // Of the normal operator, where it was timed; 0: not known. `predicted` is of its transforms.
  double predictedNormalError = 0;
  // Relative l2 error against nudft on random outputs, where it was asked for.
  std::optional<double> measuredError;
  std::int64_t memory = 0;
  std::string refused;  // why it could not run, or empty

  bool timed() const { return timings.total > 0; }
  // That of the execution alone, where nothing else was counted.
  double cost() const { return seconds > 0 ? seconds : timings.total; }
  // What points, plan and copies add to each execution.
  double setUp() const { return cost() - timings.total; }
  // Relative l2 error of what the request's direction does.
  double predictedError() const {
    return predictedNormalError > 0 ? predictedNormalError : predicted.relativeL2;
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
  // Measure: times some candidates however long one takes. Otherwise, where timing a single one
  // should take more than a second, the cost model decides.
  bool mustTime = false;
  std::string pathClass;  // of wisdom's key: the field that a path was chosen for; empty: none
};

// What the switch `reproducible` costs: seconds of an execution in the request's workload, measured;
// 0: not known.
struct ReproducibleCost {
  double with = 0;     // of the plan that repeats
  double without = 0;  // of the fastest plan
  bool known() const { return with > 0 && without > 0; }
};

struct TuneResult {
  std::vector<Candidate> candidates;  // in the order in which they were tried
  int best = -1;                      // index; -1: nothing could run
  std::string reason;                 // one sentence: why it won
  Workload workload;                  // what was tuned for
  bool fromWisdom = false;
  bool cancelled = false;  // best is then the best so far
  // An exhaustive search that its time limit ended: best is then the best of the plans that were timed.
  bool cutShort = false;
  // Measure's time ended with so few plans timed that the choice may be a poor one: it is not kept as wisdom.
  bool isThin = false;
  int timedEarlier = 0;  // candidates that an exhaustive search timed before this one, which goes on with it
  double seconds = 0;
  MachineLoad load;  // while a sweep timed; of others not known
  // The best may be slower than another timed plan by at most this share, by a sweep's repeats;
  // negative: not known.
  double behind = -1;
  ReproducibleCost reproducible;
};

// Each candidate is handed to `seen` when it has been timed (on the calling thread). Throws Error
// where no candidate can meet the accuracy, with the reason and the accuracy that can be met.
TuneResult tune(std::span<NufftBackend* const> backends, const TuneRequest& request, Wisdom* wisdom,
                const Progress& progress, const std::function<void(const Candidate&)>& seen = {});

}  // namespace spokelab
