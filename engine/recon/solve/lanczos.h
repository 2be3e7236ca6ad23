// The Lanczos process (Lanczos 1950) of A, Hermitian and not negative, from b: orthonormal vectors
// Q = [q_1 ... q_k], q_1 = b / |b|, with Q^H A Q = T tridiagonal. One process serves all shifted
// systems (A + lambda) x = b (shifted_systems.h): |b| Q (T + lambda)^-1 e_1 is the k-th iterate of
// conjugate gradients for each lambda. Each new vector is made orthogonal to all earlier ones, as
// rounding would take the orthogonality away.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "engine/recon/operators/vector_space.h"
#include "engine/recon/solve/shifted_systems.h"

namespace spokelab {

template <VectorSpace Space>
struct LanczosBasis {
  std::vector<typename Space::Vector> vectors;  // Q
  ShiftedSystems systems;                       // T and |b|
};

// apply(p, out): out = A p. each(systems): false ends the process; called after every step. At most
// `steps` vectors, fewer where they span all that A makes of b. None where b is 0.
template <VectorSpace Space, class Apply, class Each>
LanczosBasis<Space> lanczos(Space& space, const Apply& apply, const typename Space::Complex* b,
                            std::int64_t n, int steps, const Each& each) {
  using Real = typename Space::Real;
  using Vector = typename Space::Vector;
  // A remainder below this many epsilons of the largest |A q| is rounding: the space is exhausted.
  constexpr double rounding = 8;
  LanczosBasis<Space> basis;
  const double rhsNorm = std::sqrt(space.dot(b, b, n));
  basis.systems.rhsNorm = rhsNorm;
  if (!(rhsNorm > 0)) return basis;
  auto next = space.make(n);
  space.scaledCopy(Real(1 / rhsNorm), b, next.data(), n);
  double largest = 0;
  for (int k = 0; k < steps; ++k) {
    basis.vectors.push_back(std::move(next));
    const Vector& q = basis.vectors.back();
    next = space.make(n);
    apply(q.data(), next.data());
    const double diagonal = space.dot(q.data(), next.data(), n);
    const double productNorm = std::sqrt(space.dot(next.data(), next.data(), n));
    basis.systems.diagonal.push_back(diagonal);
    largest = std::max(largest, productNorm);
    space.axpy(Real(-diagonal), q.data(), next.data(), n);
    if (k > 0)
      space.axpy(Real(-basis.systems.offDiagonal[std::size_t(k) - 1]),
                 basis.vectors[std::size_t(k) - 1].data(), next.data(), n);
    const double remainder =
        std::sqrt(space.removeComponents(std::span<const Vector>(basis.vectors), next.data(), n));
    basis.systems.offDiagonal.push_back(remainder);
    if (!each(std::as_const(basis.systems))) break;
    if (!(remainder > rounding * double(std::numeric_limits<Real>::epsilon()) * largest)) break;
    space.scaledCopy(Real(1 / remainder), next.data(), next.data(), n);
  }
  return basis;
}

}  // namespace spokelab
