// Sizes of the oversampled grid: lengths 2^a 3^b 5^c 7^d, which FFTs are fast at.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/nufft/problem/problem.h"

namespace spokelab {

// Smallest even size 2^a 3^b 5^c 7^d that is >= minimum. Throws Error beyond 2^31.
std::int64_t nextFastSize(std::int64_t minimum);

// Oversampled grid for (alpha, width): per dimension the next fast size >= max(alpha N, 2 ceil(W)).
Index3 gridSize(const NufftProblem& problem, double alpha, double width);

// Values of alpha in (1, 2] whose grids are distinct fast sizes for this problem, ascending.
std::vector<double> fastAlphas(const NufftProblem& problem);

}  // namespace spokelab
