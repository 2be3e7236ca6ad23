// Predicts the duration of a tuning before anything is timed.
#pragma once

#include <span>
#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

struct TuneEstimate {
  TuneEffort effort = TuneEffort::measure;
  bool isRemembered = false;  // wisdom knows the answer
  int plans = 0;              // candidates; an exhaustive search adds refinements
  int earlier = 0;            // of them timed before by a stopped exhaustive search
  double seconds = 0;         // predicted for the others; an upper bound for effort measure
  double timeLimit = 0;       // requested; 0: none
};

// wisdom: may be null. Throws Cancelled, and the errors of tune().
TuneEstimate estimateTuning(std::span<NufftBackend* const> backends, const TuneRequest& request,
                            const Wisdom* wisdom, const Progress& progress);

// "214 plans, about 40 s, and some more for the details of the fastest"
std::string estimateText(const TuneEstimate& estimate);

// "40 s", "3.5 minutes"
std::string durationText(double seconds);

}  // namespace spokelab
