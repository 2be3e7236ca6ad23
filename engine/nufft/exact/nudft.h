// The exact sums of one image in double precision: the oracle of every test. points: [M, dims],
// cycles per pixel.
#pragma once

#include <span>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

// forward at the chosen points, or at all (selection empty): image [pixels] -> values [selection or
// M].
std::vector<cdouble> nudftForward(const NufftProblem& problem, std::span<const double> points,
                                  std::span<const cdouble> image,
                                  std::span<const std::int64_t> selection = {}, int threads = 0,
                                  const Progress& progress = {});

// adjoint at the chosen pixels (flat index, x fastest), or at all: samples [M] -> values [selection
// or pixels].
std::vector<cdouble> nudftAdjoint(const NufftProblem& problem, std::span<const double> points,
                                  std::span<const cdouble> samples,
                                  std::span<const std::int64_t> selection = {}, int threads = 0,
                                  const Progress& progress = {});

// forward of an image that is zero but at some pixels (flat index, x fastest): values [M], at a
// cost of M times the number of pixels.
std::vector<cdouble> nudftForwardOf(const NufftProblem& problem, std::span<const double> points,
                                    std::span<const std::int64_t> pixels, std::span<const cdouble> values,
                                    int threads = 0, const Progress& progress = {});

}  // namespace spokelab
