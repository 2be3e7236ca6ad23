// Finds the fastest plan for a workload at an accuracy. The cost model ([gnufftw] eq. 9) orders the
// candidates (backend x method x alpha x W) that the error model admits, by the whole cost of an
// execution (workload.h). Timing decides.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/problem/workload.h"
#include "engine/nufft/tune/result/tune_result.h"
#include "engine/nufft/tune/tune_effort.h"

namespace spokelab {

class Wisdom;

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
  std::string pathClass;  // of the field map, in wisdom's key; empty: none
};

// `seen` gets each timed candidate on the calling thread. Throws Error if no candidate meets the
// accuracy, with the reason and the accuracy that can be met.
TuneResult tune(std::span<NufftBackend* const> backends, const TuneRequest& request, Wisdom* wisdom,
                const Progress& progress, const std::function<void(const Candidate&)>& seen = {});

}  // namespace spokelab
