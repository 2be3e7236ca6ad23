// Times plans on random data: the tuner's clock.
#pragma once

#include "engine/nufft/tune/timing_data.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

struct TimingPolicy {
  int trials = 0;            // repeats; 0: as many as fit into `seconds`, 3 to 25
  double seconds = 0.05;     // to spend on the repeats of a candidate
  double abandonAbove = 0;   // seconds; a run that takes longer ends the candidate; 0: never
  double deadline = 0;       // of now(); but for the first, no run is begun that would not end by it; 0: none
  bool timesOnly = false;    // nothing but times: the candidate's errors are known
  bool errorsLater = false;  // the normal operator's error is not predicted
};

// What timing a candidate should take by its predicted parts, its plan, points and measured error included.
double expectedSeconds(const TuneRequest& request, const Candidate& candidate, const TimingPolicy& policy);

// What measuring the error of a candidate takes whose execution takes so long.
double errorSeconds(double execution);

// Takes the median of a candidate's runs: timings, spread, repeats, runs.
void keepRuns(std::vector<StageTimings> runs, Candidate& candidate);

// Times one candidate (fills timings, spread, repeats, setPointsSeconds, memory, measuredError or
// refused).
void timeCandidate(NufftBackend& backend, const TuneRequest& request, Candidate& candidate,
                   const Progress& progress);

// The same with the data and policy of a search.
void timeCandidate(NufftBackend& backend, const TuneRequest& request, Candidate& candidate, TimingData& data,
                   const TimingPolicy& policy, const Progress& progress);

// Predicts the error of a candidate that was timed, where it is a normal operator and the data know its power.
void predictErrorOf(const TuneRequest& request, Candidate& candidate, TimingData& data);

}  // namespace spokelab
