#include "engine/recon/coils/eigenspace.h"

#include <algorithm>
#include <cmath>

#include "engine/core/hermitian.h"

namespace spokelab {
namespace {

constexpr std::int64_t maxDirectSize = 256;
constexpr int multiplications = 6;    // by the matrix, between random start and eigenvectors
constexpr double maxLastValue = 0.4;  // of the limit: the subspace's last value must be smaller
constexpr double firstSubspaceShare = 0.125;
constexpr double diagonalShift = 1e-5;  // keeps the Cholesky factor of float sums real
// Each pass divides the angles by the shift. Between passes weak vectors must exceed rounding.
constexpr int orthonormalisations = 3, orthonormalisationsBetween = 2;

std::vector<cdouble> denseOf(const PanelMatrix& a) {
  std::vector<cdouble> dense;
  dense.reserve(std::size_t(a.rows() * a.columns()));
  for (std::int64_t r = 0; r < a.rows(); ++r)
    for (std::int64_t c = 0; c < a.columns(); ++c) dense.emplace_back(a.at(r, c));
  return dense;
}

std::int64_t countAbove(const std::vector<double>& descending, double limit) {
  return std::partition_point(descending.begin(), descending.end(), [&](double v) { return v >= limit; }) -
         descending.begin();
}

Eigenspace directEigenspace(const PanelMatrix& a, double share) {
  const std::int64_t n = a.rows();
  HermitianEigen eigen = hermitianEigen(denseOf(a), int(n));
  const std::int64_t kept = countAbove(eigen.values, share * eigen.values.front());
  Eigenspace space{std::move(eigen.values), PanelMatrix(n, kept)};
  space.values.resize(std::size_t(kept));
  for (std::int64_t v = 0; v < kept; ++v)
    for (std::int64_t i = 0; i < n; ++i)
      space.vectors.set(i, v, cfloat(eigen.vectors[std::size_t(v * n + i)]));
  return space;
}

PanelMatrix productOf(const PanelMatrix& a, const PanelMatrix& b, const Progress& progress) {
  PanelMatrix out(a.columns(), b.columns());
  addProduct(a, b, out, progress);
  return out;
}

PanelMatrix gramOf(const PanelMatrix& a, const Progress& progress) {
  PanelMatrix out(a.columns(), a.columns());
  addGram(a, out, progress);
  return out;
}

// Numbers between -1 and 1 that look random and are the same each time.
float scrambled(std::uint64_t i) {
  i += 0x9e3779b97f4a7c15U;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9U;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebU;
  return float(double((i ^ (i >> 31)) >> 11) * 0x1p-52 - 1);
}

PanelMatrix randomMatrix(std::int64_t rows, std::int64_t columns) {
  PanelMatrix m(rows, columns);
  for (std::int64_t c = 0; c < columns; ++c)
    for (std::int64_t r = 0; r < rows; ++r) {
      const auto i = std::uint64_t(2 * (c * rows + r));
      m.set(r, c, {scrambled(i), scrambled(i + 1)});
    }
  return m;
}

// Y D L^{-H}, where L L^H = D Y^H Y D + shift and D makes the columns unit vectors.
PanelMatrix orthonormalised(PanelMatrix y, int passes, const Progress& progress) {
  const auto n = std::size_t(y.columns());
  for (int pass = 0; pass < passes; ++pass) {
    std::vector<cdouble> gram = denseOf(gramOf(y, progress)), lower;
    std::vector<double> scale(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double square = gram[i * n + i].real();
      scale[i] = square > 0 ? 1 / std::sqrt(square) : 0;
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        gram[i * n + j] = i == j ? cdouble(1 + diagonalShift) : gram[i * n + j] * scale[i] * scale[j];
    if (!cholesky(gram, int(n), lower)) break;
    const std::vector<cdouble> inverse = invertLower(lower, int(n));
    PanelMatrix factor(y.columns(), y.columns());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j < n; ++j)
        factor.set(std::int64_t(i), std::int64_t(j), cfloat(std::conj(inverse[j * n + i]) * scale[i]));
    y = productOf(y.adjoint(), factor, progress);
  }
  return y;
}

// The subspace's eigenvectors; nothing if it is too small for all, unless `all` that it has will
// do.
bool subspaceEigenspace(const PanelMatrix& a, double share, std::int64_t columns, bool all, Eigenspace& space,
                        const Progress& progress) {
  PanelMatrix q = randomMatrix(a.rows(), columns);
  for (int i = 1; i <= multiplications; ++i)
    q = orthonormalised(productOf(a, q, progress),
                        i == multiplications ? orthonormalisations : orthonormalisationsBetween, progress);
  const HermitianEigen eigen =
      hermitianEigen(denseOf(productOf(q, productOf(a, q, progress), progress)), int(columns));
  const double limit = share * eigen.values.front();
  if (!all && eigen.values.back() > maxLastValue * limit) return false;
  const std::int64_t kept = countAbove(eigen.values, limit);
  PanelMatrix turn(columns, kept);
  for (std::int64_t v = 0; v < kept; ++v)
    for (std::int64_t i = 0; i < columns; ++i)
      turn.set(i, v, cfloat(eigen.vectors[std::size_t(v * columns + i)]));
  space.values.assign(eigen.values.begin(), eigen.values.begin() + kept);
  space.vectors = productOf(q.adjoint(), turn, progress);
  return true;
}

}  // namespace

std::int64_t largeEigenspaceLimit(std::int64_t rows) {
  return rows / 2 / panelWidth * panelWidth;
}

Eigenspace leadingEigenspace(const PanelMatrix& hermitian, double share, const Progress& progress) {
  const std::int64_t n = hermitian.rows(), most = largeEigenspaceLimit(n);
  if (n <= maxDirectSize) return directEigenspace(hermitian, share);
  Eigenspace space{{}, PanelMatrix(0, 0)};
  const auto first = std::int64_t(double(n) * firstSubspaceShare) / panelWidth * panelWidth;
  for (std::int64_t columns = std::max<std::int64_t>(first, 2 * panelWidth);; columns *= 2) {
    const bool last = columns >= most;
    if (subspaceEigenspace(hermitian, share, std::min(columns, most), last, space, progress)) return space;
  }
}

}  // namespace spokelab
