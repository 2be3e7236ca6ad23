// The systems (T + lambda) y = |b| e_1 for all lambda > 0, T real, symmetric, tridiagonal and not
// negative: what is left of (A + lambda) x = b in the space that a Lanczos process spans
// (lanczos.h), x = Q y. Lengths of y are lengths of x.
#pragma once

#include <vector>

namespace spokelab {

struct ShiftedSystems {
  double length = 0;             // |b|
  std::vector<double> diagonal;  // T
  std::vector<double> beside;    // T, and at last the entry that leads out of the space

  int size() const { return int(diagonal.size()); }
  // y, by elimination without pivots: T + lambda is positive definite.
  std::vector<double> solution(double lambda) const;
  // |b - (A + lambda) x| / |b|
  double residual(double lambda) const;
  // (T + lambda)^-1 right
  std::vector<double> solved(std::vector<double> right, double lambda) const;
};

}  // namespace spokelab
