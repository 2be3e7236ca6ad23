// Finds the fastest transform of type 3 (from points to points) by timing: each backend that has
// them, at each ratio of the outer grid, the inner grid's ratio by predicted work; then, at the
// fastest of these, each ratio of the inner grid. Widths follow from the accuracy. A given alpha or
// width stays, and holds for both grids.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/nufft/tune/result/tune_result.h"
#include "engine/nufft/type3/type3_transform.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

class Wisdom;

struct Type3Tuning {
  Type3Problem problem;
  std::span<const double> sources, targets;  // [point, dims]; outlive the calls
  NufftOptions options;                      // the accuracy, and what the user fixed
  // estimate, or options.reproducible: nothing is timed, the first backend is taken.
  TuneEffort effort = TuneEffort::measure;
  // Direction forward, adjoint or both; executions for each set of points.
  Workload workload{Direction::forward, Workload::usualExecutions, 1, false};
  int trials = 0;        // repeats of a candidate; 0: by time and spread
  double timeLimit = 0;  // seconds; 0: by the repeats
  bool measureError = false;
};

// Times all candidates in rounds: the data of the charts. A candidate's options, grid and predicted
// error are the outer grid's plan and the whole transform's error; its times have the inner
// transform as "fft". measuredError is against exact sums at some targets. Throws Error where no
// backend can; Cancelled.
TuneResult sweepType3(std::span<Backend* const> backends, const Type3Tuning& tuning, const Progress& progress,
                      const std::function<void(const Candidate&)>& seen = {});

// The fastest one, remembered or timed and then remembered. wisdom may be null.
TuneResult tuneType3(std::span<Backend* const> backends, const Type3Tuning& tuning, Wisdom* wisdom,
                     const Progress& progress, const std::function<void(const Candidate&)>& seen = {});

// A candidate's transform, without points. Its alpha is the outer grid's, unless fixed.
template <class Real>
std::unique_ptr<Type3Transform<Real>> makeType3(std::span<Backend* const> backends, const Type3Tuning& tuning,
                                                const Candidate& candidate);

}  // namespace spokelab
