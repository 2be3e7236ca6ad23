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

// Estimates the largest number of bytes that a plan with `points` points takes, also while it is
// made. Nothing is allocated.
std::int64_t estimateCpuMemory(const NufftProblem& problem, const NufftOptions& options, std::int64_t points);

}  // namespace spokelab
