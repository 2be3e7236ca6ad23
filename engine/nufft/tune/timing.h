// Times plans on random data: the tuner's clock.
#pragma once

#include "engine/nufft/tune/timing_data.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

struct TimingPolicy {
  int trials = 0;            // repeats; 0: the number that fits into `seconds`, 3 to 25
  double seconds = 0.05;     // for the repeats of a candidate
  double abandonAbove = 0;   // seconds; a run that takes longer ends the candidate; 0: never
  double deadline = 0;       // by now(); only the first run may exceed it; 0: none
  bool timesOnly = false;    // the candidate's errors are known
  bool errorsLater = false;  // the normal operator's error is not predicted
};

// Predicted seconds to time a candidate, with plan, points and measured error.
double expectedSeconds(const TuneRequest& request, const Candidate& candidate, const TimingPolicy& policy);

// Seconds to measure the error of a candidate, from the seconds of one execution.
double errorSeconds(double execution);

// Takes the median of a candidate's runs: timings, spread, repeats, runs.
void keepRuns(std::vector<StageTimings> runs, Candidate& candidate);

// Times one candidate: fills timings, spread, repeats, setPointsSeconds, memory and measuredError,
// or refused.
void timeCandidate(NufftBackend& backend, const TuneRequest& request, Candidate& candidate,
                   const Progress& progress);

// The same, with a search's data and policy.
void timeCandidate(NufftBackend& backend, const TuneRequest& request, Candidate& candidate, TimingData& data,
                   const TimingPolicy& policy, const Progress& progress);

// Predicts the error of a timed normal operator, if the data know its power.
void predictErrorOf(const TuneRequest& request, Candidate& candidate, TimingData& data);

}  // namespace spokelab
