// Finds the fastest plan that meets an accuracy. Candidates (backend x method x alpha x W) that the
// error model admits are ordered by the cost model ([gnufftw] eq. 9) and timed; timing decides.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/tune/tune_effort.h"

namespace spokelab {

class Wisdom;

// One way to compute the transform, with its predictions and its measurements.
struct Candidate {
  std::string backend;
  NufftOptions options;  // alpha, width, methods and bins are chosen
  Index3 grid{1, 1, 1};
  PredictedError predicted;
  double predictedSeconds = 0;  // by the cost model
  StageTimings timings;         // the run of the median total; total == 0: not timed
  double spread = 0;            // (p75 - p25) / median of the totals
  int repeats = 0;
  double setPointsSeconds = 0;
  // Copies between host and GPU in the last run; not part of `timings`.
  double transferSeconds = 0;
  // Relative l2 error against nudft on random outputs, where it was asked for.
  std::optional<double> measuredError;
  std::int64_t memory = 0;
  std::string refused;  // why it could not run, or empty

  bool timed() const { return timings.total > 0; }
};

struct TuneRequest {
  NufftProblem problem;
  std::span<const double> points;   // [M, dims], cycles per pixel; must outlive the call
  std::span<const double> weights;  // for Direction::normal; may be empty
  // The accuracy, and the options that the user fixed (alpha, width, methods, kernel, threads).
  NufftOptions options;
  TuneEffort effort = TuneEffort::measure;
  Direction direction = Direction::both;
  int trials = 0;             // repeats of a candidate; 0: chosen from its time
  double timeLimit = 0;       // seconds; 0: by effort (measure: 1 s or so, exhaustive: none)
  bool measureError = false;  // fill in Candidate::measuredError
};

struct TuneResult {
  std::vector<Candidate> candidates;  // in the order in which they were tried
  int best = -1;                      // index; -1: nothing could run
  std::string reason;                 // one sentence: why it won
  bool fromWisdom = false;
  bool cancelled = false;  // best is then the best so far
  double seconds = 0;
};

// Each candidate is handed to `seen` when it has been timed (on the calling thread). Throws Error
// where no candidate can meet the accuracy, with the reason and the accuracy that can be met.
TuneResult tune(std::span<NufftBackend* const> backends, const TuneRequest& request, Wisdom* wisdom,
                const Progress& progress, const std::function<void(const Candidate&)>& seen = {});

}  // namespace spokelab
