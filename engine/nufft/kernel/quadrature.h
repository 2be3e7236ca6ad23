// Gauss-Legendre quadrature on [-1, 1] in double: integral of f = sum_i weight[i] f(node[i]).
// Nodes are found by Newton's method on the Legendre polynomial.
#pragma once

#include <vector>

namespace spokelab {

struct Quadrature {
  std::vector<double> node, weight;
};

// Made once for each number of nodes, and kept. Safe to call from several threads.
const Quadrature& gaussLegendre(int nodes);

}  // namespace spokelab
