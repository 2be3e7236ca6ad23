// Leading singular vectors of a dense matrix, and eigenvectors of a Hermitian one, as matrices of
// Eigen's in double precision. Include it in sources, not in headers: it brings Eigen with it.
#pragma once

#include <Eigen/Core>

#include "engine/core/array.h"

namespace spokelab {

// A ~ left diag(values) right^H: values in descending order, one column a vector.
template <class Value>
struct SingularVectors {
  using Matrix = Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic>;
  Eigen::VectorXd values;
  Matrix left, right;  // [row, vector], [column, vector]
};

// Up to `most` vectors, fewer where the rank of A is lower to working precision. Two pivoted QR
// factorizations reduce A to a triangle as small as its rank, and Jacobi's rotations find the
// triangle's vectors. Value: double or cdouble.
template <class Value>
SingularVectors<Value> singularVectors(const Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic>& a,
                                       Eigen::Index most);

// A = vectors diag(values) vectors^H: values in descending order, one column a vector.
struct HermitianVectors {
  Eigen::VectorXd values;
  Eigen::MatrixXcd vectors;

  // vectors diag(f) vectors^H, a function of A if f is one of its values.
  Eigen::MatrixXcd withValues(const Eigen::VectorXd& f) const;
};

// As hermitianEigen() (hermitian.h).
HermitianVectors hermitianVectors(const Eigen::MatrixXcd& a);

}  // namespace spokelab
