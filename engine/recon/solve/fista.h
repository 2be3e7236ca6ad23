// FISTA (Beck, Teboulle 2009) for
//   F(x) = 1/2 <x, N x> - Re <b, x> + c + weight R(x),   N Hermitian and not negative, R with prox:
//   x_{k+1} = prox_{R weight/L}(z_k - (N z_k - b) / L)
//   z_{k+1} = x_{k+1} + (t_k - 1) / t_{k+1} (x_{k+1} - x_k)
// The momentum starts anew where it points uphill (O'Donoghue, Candes 2015). L, the largest
// eigenvalue of N, is estimated by a few power iterations, and grows where a step shows a larger
// curvature. N z follows from N x by its linearity: one N an iteration, and F costs nothing more.
// residual: L |x_{k+1} - z_k| / |b|, the normal equations' residual where R is 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/recon/operators/vector_space.h"
#include "engine/recon/options/iteration_watcher.h"

namespace spokelab {

struct FistaOptions {
  int iterations = 100;
  double tolerance = 0;  // of the residual; 0: none
  double minChange = 0;  // of x in an iteration, relative; 0: none
  double constant = 0;   // c
};

enum class FistaEnd { iterations, tolerance, settled, watcher };

struct FistaState {
  int iteration = 0;
  double residual = 1, objective = 0;
};

struct FistaResult {
  FistaState last;
  FistaEnd end = FistaEnd::iterations;
};

// The result for a right side of 0: x is 0.
template <VectorSpace Space>
FistaResult zeroSolution(Space& space, typename Space::Complex* x, std::int64_t n,
                         const FistaOptions& options) {
  space.zero(x, n);
  return {{.residual = 0, .objective = options.constant}, FistaEnd::tolerance};
}

// An estimate from below, of `steps` products with N, started from b.
template <VectorSpace Space, class Apply>
double largestEigenvalue(Space& space, const Apply& apply, const typename Space::Complex* b, std::int64_t n,
                         int steps) {
  using Real = typename Space::Real;
  auto v = space.make(n), product = space.make(n);
  double length = std::sqrt(space.dot(b, b, n)), eigenvalue = 0;
  space.copy(b, v.data(), n);
  for (int step = 0; step < steps && length > 0; ++step) {
    space.scaledCopy(Real(1 / length), v.data(), product.data(), n);
    apply(product.data(), v.data());
    eigenvalue = space.dot(product.data(), v.data(), n);
    length = std::sqrt(space.dot(v.data(), v.data(), n));
  }
  return std::max(eigenvalue, length);
}

// apply(p, out): out = N p. functional.prox(threshold, x): R's proximal map in place, which returns
// R of the result. weight(): of R, asked in every iteration. each(state): IterationAction
// after every step. x: start and result.
template <VectorSpace Space, class Apply, class Functional, class Weight, class Each>
FistaResult fista(Space& space, const Apply& apply, const typename Space::Complex* b,
                  typename Space::Complex* x, std::int64_t n, Functional& functional, const Weight& weight,
                  const FistaOptions& options, const Each& each) {
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;
  constexpr int powerSteps = 8;
  constexpr double eigenvalueMargin = 1.05, curvatureMargin = 1.1;
  constexpr double minSeenMove = 1e-3;  // relative; rounding hides the curvature of smaller ones
  FistaResult result;
  const double target = std::sqrt(space.dot(b, b, n));
  if (target == 0) return zeroSolution(space, x, n, options);
  double largest = eigenvalueMargin * largestEigenvalue(space, apply, b, n, powerSteps);
  auto next = space.make(n), nNext = space.make(n), nx = space.make(n), z = space.make(n), nz = space.make(n),
       move = space.make(n);
  double momentum = 1;
  const auto start = [&] {
    apply(x, nx.data());
    space.copy(x, z.data(), n);
    space.copy(nx.data(), nz.data(), n);
    momentum = 1;
  };
  const auto combine = [&](double share, const Complex* after, const Complex* before, Complex* to) {
    space.scaledCopy(Real(1 + share), after, to, n);
    space.axpy(Real(-share), before, to, n);
  };
  start();
  while (result.last.iteration < options.iterations) {
    double regularization = 0, moved = 0;
    while (true) {  // until the step is short enough for the curvature that it meets
      space.copy(z.data(), next.data(), n);
      space.axpy(Real(-1 / largest), nz.data(), next.data(), n);
      space.axpy(Real(1 / largest), b, next.data(), n);
      regularization = weight() * functional.prox(weight() / largest, next.data());
      apply(next.data(), nNext.data());
      space.copy(next.data(), move.data(), n);
      space.axpy(Real(-1), z.data(), move.data(), n);
      moved = space.dot(move.data(), move.data(), n);
      if (moved <= minSeenMove * minSeenMove * space.dot(next.data(), next.data(), n)) break;
      const double curvature =
          (space.dot(move.data(), nNext.data(), n) - space.dot(move.data(), nz.data(), n)) / moved;
      if (!(curvature > largest)) break;
      largest = curvatureMargin * curvature;
    }
    result.last.objective = space.dot(next.data(), nNext.data(), n) / 2 - space.dot(b, next.data(), n) +
                            options.constant + regularization;
    result.last.residual = largest * std::sqrt(moved) / target;
    ++result.last.iteration;
    const double uphill = space.dot(move.data(), x, n) - space.dot(move.data(), next.data(), n);
    if (uphill > 0) momentum = 1;
    const double after = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2, share = (momentum - 1) / after;
    momentum = after;
    combine(share, next.data(), x, z.data());
    combine(share, nNext.data(), nx.data(), nz.data());
    bool settled = false;
    if (options.minChange > 0) {
      space.axpy(Real(-1), next.data(), x, n);
      settled =
          space.dot(x, x, n) < options.minChange * options.minChange * space.dot(next.data(), next.data(), n);
    }
    space.copy(next.data(), x, n);
    std::swap(nx, nNext);
    switch (each(result.last)) {
      case IterationAction::stop:
        result.end = FistaEnd::watcher;
        return result;
      case IterationAction::restart:
        start();
        continue;
      case IterationAction::proceed:
        break;
    }
    if (result.last.residual <= options.tolerance) return result.end = FistaEnd::tolerance, result;
    if (settled) return result.end = FistaEnd::settled, result;
  }
  return result;
}

}  // namespace spokelab
