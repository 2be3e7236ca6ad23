// Which candidate won, and why, in a sentence.
#pragma once

#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Whether the candidate was timed and meets the accuracy of the request.
bool mayWin(const Candidate& candidate, double accuracy);

// Index of the fastest timed candidate that meets the request's accuracy; -1: none.
int fastest(const TuneResult& result, const TuneRequest& request);

// By how much the best may be slower than another plan that meets the accuracy: TuneResult::behind.
double behindOf(const TuneResult& result, const TuneRequest& request);

// "From 4 executions for a set of points on, α 1.5, W 4.4, cpu blocked, tensor is faster": what
// another number of executions would choose among the timed candidates; empty: the same.
std::string outlookFor(const TuneResult& result, const TuneRequest& request);

// "Fastest of 14 timed plans, 12% ahead of α 1.5, W 4.4, cpu blocked: 3.1 ms; interpolation takes
// 61% of it, the FFT 30%, points and plan 4%". With the winner's outlook, where it has one. Where
// repeats show no difference: "Fastest of 14 timed plans, tied with 2 others (nearest: α 1.5, W 4.4,
// cpu blocked), at most 4% behind the best: 3.1 ms ...".
std::string reasonFor(const TuneResult& result, const TuneRequest& request);

}  // namespace spokelab
