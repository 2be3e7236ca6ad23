// Fills in the plan options that are left open (0 or automatic), and refuses options that are out
// of range or cannot reach their accuracy. All backends share it.
#pragma once

#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

// Fills in alpha (0: 2, or the smallest that the given width needs), width (0: smallestWidth),
// kernel and threads, and checks ranges. Throws Error with the reason.
NufftOptions resolveOptions(const NufftProblem& problem, NufftOptions options);

// A gridded normal operator is two transforms, each of which may spend half of the accuracy.
// True if transforms with this predicted error meet that half.
bool meetsNormalAccuracy(const NufftOptions& options, const PredictedError& error);
// The request with a gridded normal operator. These options make the finer plan that applies the
// operator where the first plan's transforms do not meet that half.
NufftOptions withGriddedNormal(NufftOptions request);

// The smallest relative error that the problem's precision and size allow with these options (at
// their alpha and width where they give one): the accuracy that a refusal recommends.
double reachableAccuracy(const NufftProblem& problem, const NufftOptions& options);

}  // namespace spokelab
