// A matrix X with its singular values shrunk by a threshold (Cai, Candes, Shen 2010), by its Gram
// matrix in double precision: with X^H X = V diag(s^2) V^H it is
//   X V diag(max(0, 1 - threshold / s)) V^H.
// Included by sources, as it needs Eigen.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "engine/core/singular_vectors.h"

namespace spokelab {

template <class Real>
using ComplexMatrix = Eigen::Matrix<std::complex<Real>, Eigen::Dynamic, Eigen::Dynamic>;

struct SingularShrinkage {
  ComplexMatrix<double> matrix;  // V diag(max(0, 1 - threshold / s)) V^H
  double sum = 0;                // of the new singular values
};

inline SingularShrinkage singularShrinkage(const ComplexMatrix<double>& gram, double threshold) {
  const HermitianVectors eigen = hermitianVectors(gram);
  Eigen::VectorXd factors(gram.rows());
  SingularShrinkage result;
  for (Eigen::Index i = 0; i < factors.size(); ++i) {
    const double singular = std::sqrt(std::max(0.0, eigen.values[i]));
    factors[i] = singular > threshold ? 1 - threshold / singular : 0;
    result.sum += factors[i] * singular;
  }
  result.matrix = eigen.withValues(factors);
  return result;
}

}  // namespace spokelab
