// LSMR (Fong, Saunders 2011): min over x of |E x - y|_W^2 + lambda |x|^2 by the bidiagonalization
// of A = [E; lambda^{1/2}], with the inner product <s, W s'> of samples, so that A^H is E^H W:
//   beta_{k+1} u_{k+1} = A v_k - alpha_k u_k,   alpha_{k+1} v_{k+1} = A^H u_{k+1} - beta_{k+1} v_k
// It minimises |A^H r|, which falls in every iteration, where conjugate gradients minimise the
// error in the metric of N. It never forms N = A^H A, whose rounding hides residuals below eps
// cond(N): in single precision it goes further. One E and one E^H an iteration.
// residual: |A^H r| / |A^H b|, the normal equations' residual, by the recursion.
#pragma once

#include <cmath>
#include <utility>

#include "engine/recon/solve/conjugate_gradient.h"

namespace spokelab {

// samples: E, W and y in the space (sense/dual/coil_samples.h). lambda(): asked at each start.
// each(iteration, residual): IterationAction, after every step. x: start and result.
template <VectorSpace Space, class Samples, class Lambda, class Each>
ConjugateGradientResult lsmr(Space& space, Samples& samples, typename Space::Complex* x, std::int64_t n,
                             const Lambda& lambda, const ConjugateGradientOptions& options,
                             const Each& each) {
  using Real = typename Space::Real;
  using End = ConjugateGradientEnd;
  ConjugateGradientResult result;
  const std::int64_t m = samples.count();
  // u has a part of samples, u, and a part of the image, uImage, which is used if lambda > 0. s and
  // w are scratch. root: lambda^{1/2}. alpha, beta: lengths of the last v and u. The other numbers
  // are the paper's; Bar marks those that the next rotation changes.
  auto u = space.make(m), s = space.make(m), uImage = space.make(n), v = space.make(n), w = space.make(n),
       h = space.make(n), hBar = space.make(n);
  samples.adjoint(samples.y(), w.data());
  const double target = std::sqrt(space.dot(w.data(), w.data(), n));
  if (target == 0) {
    space.zero(x, n);
    result.residual = 0;
    result.end = End::tolerance;
    return result;
  }
  double root = 0, alpha = 0, alphaBar = 0, beta = 0, zetaBar = 0, rho = 1, rhoBar = 1, cBar = 1, sBar = 0;
  // Divides u by its length, which becomes beta.
  const auto normalize = [&] {
    space.copy(u.data(), s.data(), m);
    samples.weigh(s.data());
    beta = std::sqrt(std::max(0.0, space.dot(u.data(), s.data(), m)) +
                     (root > 0 ? space.dot(uImage.data(), uImage.data(), n) : 0.0));
    if (!(beta > 0)) return;
    space.scaledCopy(Real(1 / beta), u.data(), u.data(), m);
    if (root > 0) space.scaledCopy(Real(1 / beta), uImage.data(), uImage.data(), n);
  };
  // v = A^H u - share v, divided by its length, which becomes alpha.
  const auto adjoint = [&](double share) {
    samples.adjoint(u.data(), w.data());
    if (root > 0) space.axpy(Real(root), uImage.data(), w.data(), n);
    if (share > 0) space.axpy(Real(-share), v.data(), w.data(), n);
    alpha = std::sqrt(space.dot(w.data(), w.data(), n));
    if (alpha > 0) space.scaledCopy(Real(1 / alpha), w.data(), v.data(), n);
  };
  const auto start = [&] {
    root = std::sqrt(lambda());
    space.copy(samples.y(), u.data(), m);
    const bool somewhere = space.dot(x, x, n) > 0;
    if (somewhere) {
      samples.forward(x, s.data());
      space.axpy(Real(-1), s.data(), u.data(), m);
    }
    if (root > 0) space.scaledCopy(Real(-root), x, uImage.data(), n);
    normalize();
    adjoint(0);
    alphaBar = alpha;
    zetaBar = alpha * beta;
    rho = rhoBar = cBar = 1;
    sBar = 0;
    space.copy(v.data(), h.data(), n);
    space.zero(hBar.data(), n);
    result.residual = zetaBar / target;
  };
  const auto reached = [&] {
    if (result.residual <= options.tolerance || alpha == 0 || beta == 0)
      return result.end = End::tolerance, true;
    if (result.residual <= options.accuracy) return result.end = End::accuracy, true;
    return false;
  };
  start();
  while (result.iterations < options.iterations) {
    if (reached()) return result;
    samples.forward(v.data(), s.data());
    space.xpay(s.data(), Real(-alpha), u.data(), m);
    if (root > 0) {
      space.scaledCopy(Real(-alpha), uImage.data(), uImage.data(), n);
      space.axpy(Real(root), v.data(), uImage.data(), n);
    }
    normalize();
    adjoint(beta);
    if (!std::isfinite(alpha) || !std::isfinite(beta)) return result.end = End::rounding, result;
    // Two rotations make the bidiagonal matrix, and then its transpose's, triangular.
    const double rhoBefore = rho, rhoBarBefore = rhoBar;
    rho = std::hypot(alphaBar, beta);
    const double c = alphaBar / rho, sine = beta / rho, theta = sine * alpha;
    alphaBar = c * alpha;
    const double thetaBar = sBar * rho;
    rhoBar = std::hypot(cBar * rho, theta);
    cBar = cBar * rho / rhoBar;
    sBar = theta / rhoBar;
    const double zeta = cBar * zetaBar;
    zetaBar = -sBar * zetaBar;
    space.xpay(h.data(), Real(-thetaBar * rho / (rhoBefore * rhoBarBefore)), hBar.data(), n);
    const double step = zeta / (rho * rhoBar);
    space.axpy(Real(step), hBar.data(), x, n);
    space.xpay(v.data(), Real(-theta / rho), h.data(), n);
    bool settled = false;
    if (options.minChange > 0)
      settled = std::abs(step) * std::sqrt(space.dot(hBar.data(), hBar.data(), n)) <
                options.minChange * std::sqrt(space.dot(x, x, n));
    ++result.iterations;
    result.residual = std::abs(zetaBar) / target;
    switch (each(result.iterations, result.residual)) {
      case IterationAction::stop:
        result.end = End::watcher;
        return result;
      case IterationAction::restart:
        start();
        continue;
      case IterationAction::proceed:
        break;
    }
    if (settled) return result.end = End::settled, result;
  }
  reached();
  return result;
}

}  // namespace spokelab
