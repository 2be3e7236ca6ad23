// The plans that come into question for a request: backend x methods x alpha, each with the smallest W that
// meets the accuracy.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Throws Error where no candidate meets the accuracy. Predicted errors and seconds are filled in.
std::vector<Candidate> enumerateCandidates(std::span<NufftBackend* const> backends,
                                           const TuneRequest& request);

// One (alpha, width) on one backend: grid, predicted error, seconds, memory; `refused` where it cannot be.
Candidate makeCandidate(NufftBackend& backend, const TuneRequest& request, double alpha, double width,
                        Method spread, Method interpolate);

// Other sources of kernel values, bins and subproblem sizes that are worth timing around a candidate that won, where
// the request leaves them open and its methods have any (papers/cufinufft III.A tunes bins and subproblems).
std::vector<NufftOptions> refinements(const TuneRequest& request, const Candidate& best);

NufftBackend* backendNamed(std::span<NufftBackend* const> backends, const std::string& name);

std::string describe(const Candidate& candidate);  // "α 1.43, W 5.2, cpu blocked"

}  // namespace spokelab
