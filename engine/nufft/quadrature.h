// Gauss-Legendre quadrature on [-1, 1], in double: nodes by Newton's method on the Legendre polynomial.
#pragma once

#include <vector>

namespace spokelab {

struct Quadrature {
  std::vector<double> node, weight;
};

Quadrature gaussLegendre(int nodes);

}  // namespace spokelab
