#include "engine/core/hermitian.h"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

using Matrix = Eigen::Matrix<cdouble, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Matrix> view(const std::vector<cdouble>& a, int rows, int columns) {
  return {a.data(), rows, columns};
}

std::vector<cdouble> values(const Matrix& a) {
  return {a.data(), a.data() + a.size()};
}

// Rows or columns of a task, and of a panel that is factored before all cores go on.
constexpr int linesPerTask = 16, panelLines = 48;

// Calls body(first, count) for the lines, divided alike on any number of threads.
template <class Body>
void eachPart(int lines, const Body& body) {
  parallelTasks((lines + linesPerTask - 1) / linesPerTask, 0, [&](std::int64_t task) {
    const int first = int(task) * linesPerTask;
    body(first, std::min(linesPerTask, lines - first));
  });
}

// The lower triangle of l becomes L, panel after panel; false: it is not positive definite.
bool factorInPlace(Matrix& l) {
  const int n = int(l.rows());
  for (int k = 0; k < n; k += panelLines) {
    const int width = std::min(panelLines, n - k), below = k + width, rest = n - below;
    const Eigen::LLT<Matrix> panel(l.block(k, k, width, width));
    if (panel.info() != Eigen::Success) return false;
    const Matrix corner = panel.matrixL();
    l.block(k, k, width, width) = corner;
    eachPart(rest, [&](int first, int count) {
      auto rows = l.block(below + first, k, count, width);
      const Matrix belowCorner = rows;
      rows = corner.triangularView<Eigen::Lower>().solve(belowCorner.adjoint()).adjoint();
    });
    eachPart(rest, [&](int first, int count) {
      const int end = first + count;
      l.block(below + first, below, count, end).noalias() -=
          l.block(below + first, k, count, width) * l.block(below, k, end, width).adjoint();
    });
  }
  return true;
}

}  // namespace

HermitianEigen hermitianEigen(const std::vector<cdouble>& a, int n) {
  const auto input = view(a, n, n);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver((input + input.adjoint()) / 2);
  const Eigen::VectorXd descending = solver.eigenvalues().reverse();
  return {{descending.data(), descending.data() + n},
          values(solver.eigenvectors().rowwise().reverse().transpose())};
}

bool cholesky(const std::vector<cdouble>& a, int n, std::vector<cdouble>& lower) {
  const auto input = view(a, n, n);
  Matrix l = input;
  if (!factorInPlace(l)) return false;
  l.triangularView<Eigen::StrictlyUpper>().setZero();
  lower = values(l);
  const double least = n * std::numeric_limits<double>::epsilon() * input.diagonal().real().maxCoeff();
  return (l.diagonal().array().abs2() > least).all();
}

std::vector<cdouble> invertLower(const std::vector<cdouble>& lower, int n) {
  const auto factor = view(lower, n, n);
  Matrix inverse = Matrix::Zero(n, n);
  eachPart(n, [&](int first, int count) {
    const int rows = n - first;
    inverse.block(first, first, rows, count) = factor.block(first, first, rows, rows)
                                                   .triangularView<Eigen::Lower>()
                                                   .solve(Matrix::Identity(rows, count));
  });
  return values(inverse);
}

std::vector<cdouble> multiply(const std::vector<cdouble>& a, const std::vector<cdouble>& b, int rows,
                              int inner, int columns) {
  return values(view(a, rows, inner) * view(b, inner, columns));
}

}  // namespace spokelab
