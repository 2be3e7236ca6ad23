// What a tuning would take, before anything is timed.
#pragma once

#include <span>
#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

struct TuneEstimate {
  TuneEffort effort = TuneEffort::measure;
  bool isRemembered = false;  // wisdom knows the answer
  int plans = 0;              // that can serve; an exhaustive search refines the fastest on top
  int earlier = 0;            // of them timed by an exhaustive search before, which did not end
  double seconds = 0;         // to time the others by the cost model; effort measure: at most
  double timeLimit = 0;       // asked for; 0: none
};

// wisdom: null, or what is known. Throws as tune(); Cancelled.
TuneEstimate estimateTuning(std::span<NufftBackend* const> backends, const TuneRequest& request,
                            const Wisdom* wisdom, const Progress& progress);

// "214 plans, about 40 s, and some more for the details of the fastest"
std::string estimateText(const TuneEstimate& estimate);

// "40 s", "3.5 minutes"
std::string durationText(double seconds);

}  // namespace spokelab
