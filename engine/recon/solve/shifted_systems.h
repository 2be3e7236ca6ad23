// The systems (T + lambda) y = |b| e_1 for all lambda > 0, T real, symmetric, tridiagonal and not
// negative: what is left of (A + lambda) x = b in the space that a Lanczos process spans
// (lanczos.h), x = Q y. Lengths of y are lengths of x.
#pragma once

#include <vector>

namespace spokelab {

struct ShiftedSystems {
  double rhsNorm = 0;            // |b|
  std::vector<double> diagonal;  // T(i, i)
  // T(i, i + 1). The last entry, at the index size() - 1, couples the spanned space to the next
  // vector: the residual follows from it.
  std::vector<double> offDiagonal;

  int size() const { return int(diagonal.size()); }
  // y, by elimination without pivots: T + lambda is positive definite.
  std::vector<double> solution(double lambda) const;
  // |b - (A + lambda) x| / |b|
  double residual(double lambda) const;
  // (T + lambda)^-1 right
  std::vector<double> solved(std::vector<double> right, double lambda) const;
};

}  // namespace spokelab
