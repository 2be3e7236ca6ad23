// Fills in what options leave open, and refuses what cannot be had; the same for all backends.
#pragma once

#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

// Fills in alpha (0: 2, or the smallest that the given width needs), width (0: smallestWidth),
// kernel and threads, and checks ranges. Throws Error with the reason.
NufftOptions resolveOptions(const NufftProblem& problem, NufftOptions options);

// The smallest relative error that the problem's precision and size allow with these options (at
// their alpha and width where they give one): the accuracy that a refusal recommends.
double reachableAccuracy(const NufftProblem& problem, const NufftOptions& options);

}  // namespace spokelab
