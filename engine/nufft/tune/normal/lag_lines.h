// Lines of lags along one dimension, at lags of the others: all of them, or some, drawn so that those near 0, where samples
// are coherent, are met.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "engine/nufft/problem/problem.h"

namespace spokelab {

// Where a line lies in the other dimensions, and its share of all pairs of pixels.
struct LagLine {
  std::array<double, 3> lag{};
  double share = 1;
};

// All lines along `dim`, or about `count` of them.
std::vector<LagLine> linesAcross(const NufftProblem& problem, int dim, std::int64_t count,
                                 std::mt19937& random);

}  // namespace spokelab
