// Lines of lags along one dimension. A draw of lines always includes lags near 0 of the other
// dimensions, where samples are coherent.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "engine/nufft/problem/problem.h"

namespace spokelab {

// A line's lags in the other dimensions, and its share of all pairs of pixels.
struct LagLine {
  std::array<double, 3> lag{};
  double share = 1;
};

// All lines along `dim`, or about `count` of them.
std::vector<LagLine> linesAcross(const NufftProblem& problem, int dim, std::int64_t count,
                                 std::mt19937& random);

}  // namespace spokelab
