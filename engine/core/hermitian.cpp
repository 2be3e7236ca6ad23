#include "engine/core/hermitian.h"

#include <Eigen/Dense>
#include <limits>

namespace spokelab {
namespace {

using Matrix = Eigen::Matrix<cdouble, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Matrix> view(const std::vector<cdouble>& a, int rows, int columns) {
  return {a.data(), rows, columns};
}

std::vector<cdouble> values(const Matrix& a) {
  return {a.data(), a.data() + a.size()};
}

}  // namespace

HermitianEigen hermitianEigen(const std::vector<cdouble>& a, int n) {
  const auto given = view(a, n, n);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver((given + given.adjoint()) / 2);
  const Eigen::VectorXd descending = solver.eigenvalues().reverse();
  return {{descending.data(), descending.data() + n},
          values(solver.eigenvectors().rowwise().reverse().transpose())};
}

bool cholesky(const std::vector<cdouble>& a, int n, std::vector<cdouble>& lower) {
  const auto given = view(a, n, n);
  const Eigen::LLT<Matrix> factors(given);
  const Matrix l = factors.matrixL();
  lower = values(l);
  const double least = n * std::numeric_limits<double>::epsilon() * given.diagonal().real().maxCoeff();
  return factors.info() == Eigen::Success && (l.diagonal().array().abs2() > least).all();
}

std::vector<cdouble> invertLower(const std::vector<cdouble>& lower, int n) {
  return values(view(lower, n, n).triangularView<Eigen::Lower>().solve(Matrix::Identity(n, n)));
}

std::vector<cdouble> multiply(const std::vector<cdouble>& a, const std::vector<cdouble>& b, int rows,
                              int inner, int columns) {
  return values(view(a, rows, inner) * view(b, inner, columns));
}

}  // namespace spokelab
