// Primal-dual hybrid gradients (Chambolle, Pock 2011) for
//   F(x) = 1/2 |W^{1/2} (E x - y)|^2 + weight R(x),   R with prox, P diagonal and positive:
//   x_{k+1} = prox_{R weight tau}(x_k - tau E^H W v_k)
//   v_{k+1} = (v_k + sigma P (E (2 x_{k+1} - x_k) - y)) / (1 + sigma P)
// W^{1/2} v is the dual of the samples, and v = E x - y at the minimum. P is a preconditioner in
// k-space (sense/dual/kspace_preconditioner.h): without density weights it brings few iterations,
// and leaves the minimum where it is. sigma tau |E^H W P E| stays below 1; the ratio of sigma and
// tau follows the residuals of x and v (Goldstein, Li, Yuan 2015). One E and one E^H an iteration.
// residual: |(x_k - x_{k+1}) / tau - E^H W (v_k - v_{k+1})| / |E^H W y|.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/recon/solve/fista.h"

namespace spokelab {

// samples: E, W, y and P of all coils (sense/dual/coil_samples.h), in the space.
//   count()          numbers of all coils
//   y(), p()         [number]; p: in host memory, or empty: ones
//   forward(x, s)    s = E x
//   weigh(s)         s = W s
//   adjoint(s, x)    x = E^H W s
// The rest is as in fista().
template <VectorSpace Space, class Samples, class Functional, class Weight, class Each>
FistaResult primalDual(Space& space, Samples& samples, typename Space::Complex* x, std::int64_t n,
                       Functional& functional, const Weight& weight, const FistaOptions& options,
                       const Each& each) {
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;
  constexpr int powerSteps = 10;
  constexpr double eigenvalueMargin = 1.05;
  constexpr double imbalance = 1.5, fading = 0.95, firstChange = 0.5, minChange = 1e-2;
  const std::int64_t m = samples.count();
  FistaResult result;
  auto gradient = space.make(n), next = space.make(n), nextGradient = space.make(n), move = space.make(n);
  auto v = space.make(m), seen = space.make(m), nextSeen = space.make(m), off = space.make(m),
       room = space.make(m), p = space.make(m), keep = space.make(m);
  samples.adjoint(samples.y(), gradient.data());
  const double target = std::sqrt(space.dot(gradient.data(), gradient.data(), n));
  if (target == 0) return zeroSolution(space, x, n, options);
  std::vector<Complex> host(static_cast<std::size_t>(m));
  const auto place = [&](const auto& value, Complex* to) {
    for (std::size_t i = 0; i < host.size(); ++i)
      host[i] = Complex(Real(value(samples.p().empty() ? 1.0 : samples.p()[i])));
    space.upload(host.data(), to, m);
  };
  place([](double one) { return one; }, p.data());
  const auto preconditioned = [&](const Complex* in, Complex* out) {
    samples.forward(in, room.data());
    space.scale(p.data(), room.data(), 1, m);
    samples.adjoint(room.data(), out);
  };
  double sigma = 1;
  double tau =
      1 / (eigenvalueMargin * largestEigenvalue(space, preconditioned, gradient.data(), n, powerSteps));
  const auto setKeep = [&] { place([&](double one) { return 1 / (1 + sigma * one); }, keep.data()); };
  setKeep();
  space.zero(v.data(), m);
  space.zero(gradient.data(), n);
  samples.forward(x, seen.data());
  double change = firstChange;
  while (result.last.iteration < options.iterations) {
    space.copy(x, next.data(), n);
    space.axpy(Real(-tau), gradient.data(), next.data(), n);
    const double regularization = weight() * functional.prox(weight() * tau, next.data());
    samples.forward(next.data(), nextSeen.data());
    space.copy(nextSeen.data(), off.data(), m);  // E next - y
    space.axpy(Real(-1), samples.y(), off.data(), m);
    space.copy(off.data(), room.data(), m);
    samples.weigh(room.data());
    result.last.objective = space.dot(off.data(), room.data(), m) / 2 + regularization;
    space.copy(off.data(), room.data(), m);
    space.axpy(Real(1), nextSeen.data(), room.data(), m);
    space.axpy(Real(-1), seen.data(), room.data(), m);
    space.scale(p.data(), room.data(), 1, m);
    space.axpy(Real(sigma), room.data(), v.data(), m);
    space.scale(keep.data(), v.data(), 1, m);
    samples.adjoint(v.data(), nextGradient.data());
    // The residual of x is (x - next) / tau - (gradient - nextGradient). The residual of v, in the
    // metric W P, is v - (E next - y).
    space.copy(x, move.data(), n);
    space.axpy(Real(-1), next.data(), move.data(), n);
    const double moved = space.dot(move.data(), move.data(), n);
    space.scaledCopy(Real(1 / tau), move.data(), move.data(), n);
    space.axpy(Real(-1), gradient.data(), move.data(), n);
    space.axpy(Real(1), nextGradient.data(), move.data(), n);
    const double ofImage = std::sqrt(space.dot(move.data(), move.data(), n));
    space.scaledCopy(Real(-1), off.data(), off.data(), m);
    space.axpy(Real(1), v.data(), off.data(), m);
    space.copy(off.data(), room.data(), m);
    space.scale(p.data(), room.data(), 1, m);
    samples.weigh(room.data());
    const double ofSamples = std::sqrt(std::max(0.0, space.dot(off.data(), room.data(), m)));
    result.last.residual = ofImage / target;
    ++result.last.iteration;
    const bool settled =
        moved < options.minChange * options.minChange * space.dot(next.data(), next.data(), n);
    space.copy(next.data(), x, n);
    std::swap(gradient, nextGradient);
    std::swap(seen, nextSeen);
    const bool more = ofImage > imbalance * ofSamples, fewer = ofSamples > imbalance * ofImage;
    if ((more || fewer) && change > minChange) {
      const double factor = more ? 1 / (1 - change) : 1 - change;
      tau *= factor;
      sigma /= factor;
      change *= fading;
      setKeep();
    }
    switch (each(result.last)) {
      case IterationAction::stop:
        result.end = FistaEnd::watcher;
        return result;
      case IterationAction::restart:  // perhaps from another image
        samples.forward(x, seen.data());
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
