// The CPU's plans.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/nufft/nufft.h"

namespace spokelab {

// Throw Error where the options are out of range, ask for a method of the GPU, or take more memory
// than allowed.
std::unique_ptr<Nufft<float>> makeCpuNufftFloat(const NufftProblem& problem, const NufftOptions& options);
std::unique_ptr<Nufft<double>> makeCpuNufftDouble(const NufftProblem& problem, const NufftOptions& options);

// Bytes that such a plan takes with `points` points, and making it for a moment. Nothing is
// allocated.
std::int64_t estimateCpuMemory(const NufftProblem& problem, const NufftOptions& options, std::int64_t points);

}  // namespace spokelab
