// Variants of a candidate that won: the search's second round.
#pragma once

#include <vector>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Other sources of kernel values, schedulers, bins and subproblem sizes that are worth timing
// around the best candidate, where the request leaves them open and the candidate's methods have
// any ([cufinufft] III.A tunes bins and subproblems).
std::vector<NufftOptions> refinements(const TuneRequest& request, const Candidate& best);

}  // namespace spokelab
