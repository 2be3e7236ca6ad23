// Which candidate won, and why, in a sentence.
#pragma once

#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Index of the fastest timed candidate that meets the request's accuracy; -1: none.
int fastest(const TuneResult& result, const TuneRequest& request);

// "Fastest of 14 timed plans: 3.1 ms, 12% ahead of α 1.5, W 4.4, cpu blocked; interpolation takes
// 61%, the FFT 30%"
std::string reasonFor(const TuneResult& result, const TuneRequest& request);

}  // namespace spokelab
