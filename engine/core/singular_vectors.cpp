#include "engine/core/singular_vectors.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>

#include "engine/core/hermitian.h"

namespace spokelab {
namespace {

// A = Q R P^T, the first `rank` rows of R: those above rounding, or all.
template <class Matrix>
struct PivotedQr {
  PivotedQr(const Matrix& a, bool allRows) : factors(a) {
    const Matrix& qr = factors.matrixQR();
    const Eigen::Index most = std::min(a.rows(), a.cols());
    const double smallest = std::numeric_limits<double>::epsilon() * std::abs(qr(0, 0));
    while (rank < most && (allRows || std::abs(qr(rank, rank)) > smallest)) ++rank;
  }

  Matrix triangle() const {  // R P^T
    const Matrix r = factors.matrixQR().topRows(rank).template triangularView<Eigen::Upper>();
    return r * factors.colsPermutation().transpose();
  }
  // Q times the rows of a small matrix.
  Matrix expand(const Matrix& small) const {
    Matrix columns = Matrix::Zero(factors.rows(), small.cols());
    columns.topRows(rank) = small;
    columns.applyOnTheLeft(factors.householderQ());
    return columns;
  }

  Eigen::ColPivHouseholderQR<Matrix> factors;
  Eigen::Index rank = 0;
};

}  // namespace

template <class Value>
SingularVectors<Value> singularVectors(const Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic>& a,
                                       Eigen::Index most) {
  using Matrix = Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic>;
  if (a.size() == 0) return {};
  const PivotedQr<Matrix> rows(a, false);
  if (rows.rank == 0) return {Eigen::VectorXd(), Matrix(a.rows(), 0), Matrix(a.cols(), 0)};
  const PivotedQr<Matrix> columns(rows.triangle().adjoint(), true);
  // A = rows.Q core columns.Q^H
  const Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner> core(columns.triangle().adjoint(),
                                                                 Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Index count = std::min(most, core.singularValues().size());
  return {core.singularValues().head(count), rows.expand(core.matrixU().leftCols(count)),
          columns.expand(core.matrixV().leftCols(count))};
}

template SingularVectors<double> singularVectors(const Eigen::MatrixXd&, Eigen::Index);
template SingularVectors<cdouble> singularVectors(const Eigen::MatrixXcd&, Eigen::Index);

Eigen::MatrixXcd HermitianVectors::withValues(const Eigen::VectorXd& f) const {
  return vectors * f.asDiagonal() * vectors.adjoint();
}

HermitianVectors hermitianVectors(const Eigen::MatrixXcd& a) {
  const Eigen::Index size = a.rows();
  const Eigen::MatrixXcd rows = a.transpose();  // row-major, as hermitianEigen takes it
  const HermitianEigen eigen = hermitianEigen({rows.data(), rows.data() + rows.size()}, int(size));
  return {Eigen::Map<const Eigen::VectorXd>(eigen.values.data(), size),
          Eigen::Map<const Eigen::MatrixXcd>(eigen.vectors.data(), size, size)};
}

}  // namespace spokelab
