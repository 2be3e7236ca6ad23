// Fills in what options leave open, and refuses what cannot be had; the same for all backends.
#pragma once

#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

// Fills in alpha (0: 2, or the smallest that the given width needs), width (0: smallestWidth),
// kernel and threads, and checks ranges. Throws Error with the reason.
NufftOptions resolveOptions(const NufftProblem& problem, NufftOptions options);

// True if transforms with this error are fine enough for a gridded normal operator of the plan's
// accuracy.
bool servesNormal(const NufftOptions& options, const PredictedError& error);
// The options of the finer plan that a gridded normal operator takes otherwise, made from the
// caller's options `asked`.
NufftOptions forNormal(NufftOptions asked);

// The smallest relative error that the problem's precision and size allow with these options (at
// their alpha and width where they give one): the accuracy that a refusal recommends.
double reachableAccuracy(const NufftProblem& problem, const NufftOptions& options);

}  // namespace spokelab
