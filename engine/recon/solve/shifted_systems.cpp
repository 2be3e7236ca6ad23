#include "engine/recon/solve/shifted_systems.h"

#include <cmath>
#include <utility>

namespace spokelab {

std::vector<double> ShiftedSystems::solved(std::vector<double> right, double lambda) const {
  const std::size_t n = diagonal.size();
  std::vector<double> pivots(n);
  for (std::size_t i = 0; i < n; ++i) {
    pivots[i] = diagonal[i] + lambda;
    if (i == 0) continue;
    const double factor = offDiagonal[i - 1] / pivots[i - 1];
    pivots[i] -= factor * offDiagonal[i - 1];
    right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) right[i] -= offDiagonal[i] * right[i + 1];
    right[i] /= pivots[i];
  }
  return right;
}

std::vector<double> ShiftedSystems::solution(double lambda) const {
  std::vector<double> right(diagonal.size());
  if (!right.empty()) right.front() = rhsNorm;
  return solved(std::move(right), lambda);
}

double ShiftedSystems::residual(double lambda) const {
  if (diagonal.empty() || !(rhsNorm > 0)) return 0;
  return std::abs(offDiagonal.back() * solution(lambda).back()) / rhsNorm;
}

}  // namespace spokelab
