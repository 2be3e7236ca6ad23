// Chooses the winner of a tuning and explains it in a sentence.
#pragma once

#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// True if the candidate was timed and its predicted bound meets the accuracy.
bool mayWin(const Candidate& candidate, double accuracy);

// Index of the fastest timed candidate that meets the request's accuracy; -1: none.
int fastest(const TuneResult& result, const TuneRequest& request);

// Value of TuneResult::behind.
double behindOf(const TuneResult& result, const TuneRequest& request);

// "With 4 executions or more of a set of points, α 1.5, W 4.4, cpu blocked, tensor is faster": the
// choice among the timed candidates for another number of executions; empty if it is the same.
std::string outlookFor(const TuneResult& result, const TuneRequest& request);

// "Fastest of 14 timed plans, 12% ahead of α 1.5, W 4.4, cpu blocked: 3.1 ms; interpolation takes
// 61% of it, the FFT 30%, points and plan 4%", and the winner's outlook. Without a clear lead:
// "Fastest of 14 timed plans, tied with 2 others (nearest: α 1.5, W 4.4, cpu blocked), at most 4%
// slower than the best: 3.1 ms ...".
std::string reasonFor(const TuneResult& result, const TuneRequest& request);

}  // namespace spokelab
