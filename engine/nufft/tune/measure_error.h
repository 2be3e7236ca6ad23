// The error that a user measures, as the accuracy contract states it, on some random outputs.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"

namespace spokelab {

// Relative l2 error of a plan against nudft ([formulas], accuracy contract): the root mean square,
// over 8 draws of iid complex normal data u, of |error| / max(|y|, sqrt(R) |u|) on `outputs` random
// outputs.
//
// The normal operator is compared with the exact normal operator, relative to |y|: u is then zero but
// at some pixels, which makes the exact sums affordable; the outputs at those pixels, where most of y
// may lie, are all looked at. weights: of the normal operator, [M] or empty for ones.
double measureError(NufftBackend& backend, const NufftProblem& problem, const NufftOptions& options,
                    std::span<const double> points, std::span<const double> weights, Direction direction,
                    int outputs, unsigned seed, const Progress& progress);

// Outputs that measureError can look at for each draw within some tenths of a second.
int affordableOutputs(const NufftProblem& problem, std::int64_t points);

}  // namespace spokelab
