// Alternating directions (Boyd et al. 2011) for
//   F(x) = 1/2 <x, N x> - Re <b, x> + c + weight R(x),   N Hermitian and not negative, R with prox:
//   x = argmin 1/2 <x, N x> - Re <b, x> + rho/2 |x - z + u|^2   by some conjugate gradients
//   z = prox_{R weight / rho}(x + u);   u += x - z
// z is the result, which R has shaped. rho starts at a share of N's curvature along b and balances
// |x - z| with |z - z_before|, less and less often. This is ibid. 3.4.1 without the factor rho of
// the dual residual (3.3): both are then lengths of images, and their ratio does not depend on the
// scale of N, b and weight. The conjugate gradients start from z with N z, which F(z) also needs:
// an iteration has one N and those of the gradients.
// residual: |b - N z - rho u| / |b|, as rho u is in weight dR(z).
#pragma once

#include <cmath>

#include "engine/recon/options/solver_options.h"
#include "engine/recon/solve/conjugate_gradient.h"
#include "engine/recon/solve/fista.h"

namespace spokelab {

// The arguments are fista()'s.
template <VectorSpace Space, class Apply, class Functional, class Weight, class Each>
FistaResult admm(Space& space, const Apply& apply, const typename Space::Complex* b,
                 typename Space::Complex* x, std::int64_t n, Functional& functional, const Weight& weight,
                 const FistaOptions& options, const Each& each) {
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;
  constexpr double curvatureShare = 0.1, imbalance = 10, factor = 2;
  constexpr int firstWait = 5;
  FistaResult result;
  const double target = std::sqrt(space.dot(b, b, n));
  if (target == 0) return zeroSolution(space, x, n, options);
  auto nz = space.make(n), u = space.make(n), right = space.make(n), step = space.make(n),
       before = space.make(n);
  space.zero(u.data(), n);
  apply(b, right.data());
  double rho = curvatureShare * space.dot(b, right.data(), n) / (target * target);
  if (!(rho > 0)) rho = 1;
  // right = b - N z - rho u: what the conjugate gradients start from.
  const auto remainder = [&] {
    space.copy(b, right.data(), n);
    space.axpy(Real(-1), nz.data(), right.data(), n);
    space.axpy(Real(-rho), u.data(), right.data(), n);
  };
  apply(x, nz.data());
  remainder();
  int wait = firstWait, changeAt = firstWait;
  while (result.last.iteration < options.iterations) {
    space.copy(x, before.data(), n);
    space.zero(step.data(), n);
    conjugateGradient(
        space,
        [&](const Complex* in, Complex* out) {
          apply(in, out);
          space.axpy(Real(rho), in, out, n);
        },
        right.data(), step.data(), n, {alternatingInnerSteps},
        [](int, double) { return IterationAction::proceed; });
    space.axpy(Real(1), before.data(), step.data(), n);  // step is x of the equations, x is z
    space.axpy(Real(1), step.data(), u.data(), n);       // u + x
    space.copy(u.data(), x, n);
    const double regularization = weight() * functional.prox(weight() / rho, x);
    space.axpy(Real(-1), x, u.data(), n);
    apply(x, nz.data());
    remainder();
    space.axpy(Real(-1), x, step.data(), n);
    space.axpy(Real(-1), x, before.data(), n);
    const double apart = std::sqrt(space.dot(step.data(), step.data(), n)),
                 moved = std::sqrt(space.dot(before.data(), before.data(), n));
    result.last.objective =
        space.dot(x, nz.data(), n) / 2 - space.dot(b, x, n) + options.constant + regularization;
    result.last.residual = std::sqrt(space.dot(right.data(), right.data(), n)) / target;
    ++result.last.iteration;
    const bool settled = moved < options.minChange * std::sqrt(space.dot(x, x, n));
    switch (each(result.last)) {
      case IterationAction::stop:
        result.end = FistaEnd::watcher;
        return result;
      case IterationAction::restart:  // perhaps from another image
        apply(x, nz.data());
        remainder();
        continue;
      case IterationAction::proceed:
        break;
    }
    if (result.last.residual <= options.tolerance) return result.end = FistaEnd::tolerance, result;
    if (settled) return result.end = FistaEnd::settled, result;
    if (result.last.iteration < changeAt) continue;
    const bool more = apart > imbalance * moved, less = moved > imbalance * apart;
    if (!more && !less) continue;
    const double change = more ? factor : 1 / factor;
    rho *= change;
    space.scaledCopy(Real(1 / change), u.data(), u.data(), n);
    wait *= 2;
    changeAt = result.last.iteration + wait;
  }
  return result;
}

}  // namespace spokelab
