// Measures a plan's error on some random outputs, as the accuracy contract defines it.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"

namespace spokelab {

// Relative l2 error of a plan against nudft ([formulas], accuracy contract): the root mean square,
// over 8 draws of iid complex normal data u, of |error| / max(|y|, sqrt(R) |u|) on R random
// outputs. y are the exact outputs. R is `outputs`, or the number of all outputs if that is less.
//
// The normal operator's error is relative to |y|. Here u is zero but at some pixels, which makes
// the exact sums affordable. All outputs at those pixels are checked, because they may hold most of
// y. weights: [M], or empty for ones.
double measureError(NufftBackend& backend, const NufftProblem& problem, const NufftOptions& options,
                    std::span<const double> points, std::span<const double> weights, Direction direction,
                    int outputs, unsigned seed, const Progress& progress);

// Outputs for each draw that measureError can check within some tenths of a second.
int affordableOutputs(const NufftProblem& problem, std::int64_t points);

}  // namespace spokelab
