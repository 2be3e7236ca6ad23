// Small dense Hermitian matrices (of coils, and of a few hundred vectors), in double precision:
// eigenvectors, Cholesky factor, products; by Eigen, the factor and its inverse on all cores.
// Row-major, a(i, j) = a[i * n + j].
#pragma once

#include <vector>

#include "engine/core/array.h"

namespace spokelab {

struct HermitianEigen {
  std::vector<double> values;    // descending
  std::vector<cdouble> vectors;  // [value, component]: unit vectors, one a row
};

// To the last bits of the largest eigenvalue. Only the Hermitian part of `a` counts.
HermitianEigen hermitianEigen(const std::vector<cdouble>& a, int n);

// Lower triangle L with a = L L^H. False: `a` is not positive definite to working precision.
bool cholesky(const std::vector<cdouble>& a, int n, std::vector<cdouble>& lower);

// The inverse of a lower triangle.
std::vector<cdouble> invertLower(const std::vector<cdouble>& lower, int n);

// Product of a [rows x inner] and b [inner x columns].
std::vector<cdouble> multiply(const std::vector<cdouble>& a, const std::vector<cdouble>& b, int rows,
                              int inner, int columns);

}  // namespace spokelab
