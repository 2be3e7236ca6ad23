// Variants of a candidate that won: the search's second round.
#pragma once

#include <vector>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Sources of kernel values, schedulers, bins, subproblem sizes and the effort of FFTW's planner
// that are worth timing around the best candidate, where the request leaves them open ([cufinufft]
// III.A tunes bins and subproblems).
std::vector<NufftOptions> refinements(const TuneRequest& request, const Candidate& best);

}  // namespace spokelab
