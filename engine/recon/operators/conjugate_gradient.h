// Conjugate gradients (Hestenes, Stiefel 1952) for A x = b, A Hermitian and not negative; one for
// host and device. r = b - A x; the residual that is told is |r| / |b|. Between iterations only
// scalars leave the space.
#pragma once

#include <cmath>

#include "engine/core/progress.h"
#include "engine/recon/operators/vector_space.h"
#include "engine/recon/options/iteration_watcher.h"

namespace spokelab {

struct ConjugateGradientOptions {
  int iterations = 10;
  double tolerance = 0;  // of the residual; 0: none
  double minChange = 0;  // of x in an iteration, relative; 0: none
};

struct ConjugateGradientResult {
  int iterations = 0;
  double residual = 1;     // the last
  bool converged = false;  // the tolerance was met
  bool settled = false;    // x hardly changed any more
  bool broken = false;     // <p, A p> was not positive, or a number was not finite: x is that of before
};

// apply(p, out): out = A p. each(iteration, residual): IterationAction, after every step. x: start
// and result.
template <VectorSpace Space, class Apply, class Each>
ConjugateGradientResult conjugateGradient(Space& space, const Apply& apply, const typename Space::Complex* b,
                                          typename Space::Complex* x, std::int64_t n,
                                          const ConjugateGradientOptions& options, const Each& each) {
  using Real = typename Space::Real;
  ConjugateGradientResult result;
  const double target = std::sqrt(space.dot(b, b, n));
  if (target == 0) {
    space.zero(x, n);
    result.residual = 0;
    result.converged = true;
    return result;
  }
  auto r = space.make(n), p = space.make(n), ap = space.make(n);
  double square = 0;
  const auto start = [&] {
    space.copy(b, r.data(), n);
    if (space.dot(x, x, n) > 0) {  // A 0 is known
      apply(x, ap.data());
      space.axpy(Real(-1), ap.data(), r.data(), n);
    }
    space.copy(r.data(), p.data(), n);
    square = space.dot(r.data(), r.data(), n);
    result.residual = std::sqrt(square) / target;
  };
  start();
  while (result.iterations < options.iterations) {
    if (result.residual <= options.tolerance || square == 0) {
      result.converged = true;
      break;
    }
    apply(p.data(), ap.data());
    const double curvature = space.dot(p.data(), ap.data(), n);
    if (!(curvature > 0) || !std::isfinite(curvature)) {
      result.broken = true;
      break;
    }
    const double step = square / curvature;
    space.axpy(Real(step), p.data(), x, n);
    space.axpy(Real(-step), ap.data(), r.data(), n);
    if (options.minChange > 0) {
      const double moved = step * std::sqrt(space.dot(p.data(), p.data(), n));
      result.settled = moved < options.minChange * std::sqrt(space.dot(x, x, n));
    }
    const double next = space.dot(r.data(), r.data(), n);
    space.xpay(r.data(), Real(next / square), p.data(), n);
    square = next;
    result.residual = std::sqrt(square) / target;
    ++result.iterations;
    const IterationAction action = each(result.iterations, result.residual);
    if (action == IterationAction::stop) break;
    if (action == IterationAction::restart)
      start();
    else if (result.settled)
      break;
  }
  if (result.residual <= options.tolerance) result.converged = true;
  return result;
}

}  // namespace spokelab
