// A matrix X with its singular values shrunk by a threshold (Cai, Candes, Shen 2010), by its Gram
// matrix in double precision: with X^H X = V diag(s^2) V^H it is
//   X V diag(max(0, 1 - threshold / s)) V^H.
// Included by sources, as it needs Eigen.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "engine/core/hermitian.h"

namespace spokelab {

template <class Real>
using ComplexMatrix = Eigen::Matrix<std::complex<Real>, Eigen::Dynamic, Eigen::Dynamic>;

struct SingularShrinkage {
  ComplexMatrix<double> matrix;  // V diag(max(0, 1 - threshold / s)) V^H
  double sum = 0;                // of the new singular values
};

inline SingularShrinkage singularShrinkage(const ComplexMatrix<double>& gram, double threshold) {
  const Eigen::Index size = gram.rows();
  // Row-major, as hermitianEigen takes it.
  const ComplexMatrix<double> transposed = gram.transpose();
  const HermitianEigen eigen =
      hermitianEigen({transposed.data(), transposed.data() + transposed.size()}, int(size));
  Eigen::ArrayXd factors(size);
  SingularShrinkage result;
  for (Eigen::Index i = 0; i < size; ++i) {
    const double singular = std::sqrt(std::max(0.0, eigen.values[std::size_t(i)]));
    factors[i] = singular > threshold ? 1 - threshold / singular : 0;
    result.sum += factors[i] * singular;
  }
  // An eigenvector is a column.
  const Eigen::Map<const ComplexMatrix<double>> v(eigen.vectors.data(), size, size);
  result.matrix = v * factors.matrix().cast<cdouble>().asDiagonal() * v.adjoint();
  return result;
}

}  // namespace spokelab
