// Conjugate gradients (Hestenes, Stiefel 1952) for A x = b, A Hermitian and not negative; one for
// host and device. r = b - A x; the residual that is told is |r| / |b|. Between iterations only
// scalars leave the space.
//
// Rounding takes the residuals' orthogonality away as soon as the largest eigenvalues are found,
// and the iterates then lag behind exact arithmetic. Each new residual is therefore made orthogonal
// to the first ones that the options keep (Lanczos 1950; Simon 1984): the first hold the large
// eigenvalues. The recursive r also departs from b - A x, which replaces it now and then.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/operators/vector_space.h"
#include "engine/recon/options/iteration_watcher.h"

namespace spokelab {

struct ConjugateGradientOptions {
  int iterations = 10;
  double tolerance = 0;  // of the residual; 0: none
  double minChange = 0;  // of x in an iteration, relative; 0: none
  // Relative error of `apply`: a smaller residual says nothing about the true A. 0: none.
  double accuracy = 0;
  int keptResiduals = 0;  // vectors held for orthogonality; 0: plain conjugate gradients
};

enum class ConjugateGradientEnd {
  iterations,  // the number asked for
  tolerance,   // the residual met it
  settled,     // x hardly changed any more
  accuracy,    // the residual met the accuracy of `apply`
  rounding,    // b - A x and the recursion disagree, or A is not positive any more
  watcher      // `each` stopped
};

struct ConjugateGradientResult {
  int iterations = 0;
  double residual = 1;  // the last
  ConjugateGradientEnd end = ConjugateGradientEnd::iterations;
};

// apply(p, out): out = A p. each(iteration, residual): IterationAction, after every step. x: start
// and result. A is applied once an iteration, and once more in ten.
template <VectorSpace Space, class Apply, class Each>
ConjugateGradientResult conjugateGradient(Space& space, const Apply& apply, const typename Space::Complex* b,
                                          typename Space::Complex* x, std::int64_t n,
                                          const ConjugateGradientOptions& options, const Each& each) {
  using Real = typename Space::Real;
  using End = ConjugateGradientEnd;
  constexpr int iterationsPerCheck = 10;
  constexpr double maxDeparture = 0.5;  // of the recursive residual from b - A x, relative
  ConjugateGradientResult result;
  const double target = std::sqrt(space.dot(b, b, n));
  if (target == 0) {
    space.zero(x, n);
    result.residual = 0;
    result.end = End::tolerance;
    return result;
  }
  auto r = space.make(n), p = space.make(n), ap = space.make(n);
  std::vector<typename Space::Vector> keptResiduals;  // residuals of length 1
  double square = 0;                                  // |r|^2
  int sinceStart = 0;
  const auto measured = [&](double lengthSquared) {
    square = lengthSquared;
    result.residual = std::sqrt(square) / target;
  };
  const auto keep = [&] {
    if (std::ssize(keptResiduals) >= options.keptResiduals || !(square > 0)) return;
    keptResiduals.push_back(space.make(n));
    space.scaledCopy(Real(1 / std::sqrt(square)), r.data(), keptResiduals.back().data(), n);
  };
  const auto start = [&] {
    space.copy(b, r.data(), n);
    if (space.dot(x, x, n) > 0) {  // A 0 is known
      apply(x, ap.data());
      space.axpy(Real(-1), ap.data(), r.data(), n);
    }
    space.copy(r.data(), p.data(), n);
    measured(space.dot(r.data(), r.data(), n));
    keptResiduals.clear();
    keep();
    sinceStart = 0;
  };
  // r becomes b - A x. Returns false if the two differ too much.
  const auto replaceResidual = [&] {
    apply(x, ap.data());
    space.xpay(b, Real(-1), ap.data(), n);
    space.axpy(Real(-1), r.data(), ap.data(), n);
    space.axpy(Real(1), ap.data(), r.data(), n);
    const double departure = space.dot(ap.data(), ap.data(), n);
    return departure <= maxDeparture * maxDeparture * space.dot(r.data(), r.data(), n);
  };
  const auto reached = [&] {
    if (result.residual <= options.tolerance || square == 0) return result.end = End::tolerance, true;
    if (result.residual <= options.accuracy) return result.end = End::accuracy, true;
    return false;
  };
  start();
  while (result.iterations < options.iterations) {
    if (reached()) return result;
    apply(p.data(), ap.data());
    const double curvature = space.dot(p.data(), ap.data(), n);
    if (!(curvature > 0) || !std::isfinite(curvature)) {
      if (sinceStart > 0 && std::isfinite(curvature)) {
        start();  // the direction was worn out, not the operator
        continue;
      }
      result.end = End::rounding;
      return result;
    }
    const double step = square / curvature;
    space.axpy(Real(step), p.data(), x, n);
    space.axpy(Real(-step), ap.data(), r.data(), n);
    bool settled = false;
    if (options.minChange > 0) {
      const double moved = step * std::sqrt(space.dot(p.data(), p.data(), n));
      settled = moved < options.minChange * std::sqrt(space.dot(x, x, n));
    }
    ++result.iterations;
    ++sinceStart;
    const bool last = result.iterations == options.iterations;
    const bool alike = last || sinceStart % iterationsPerCheck != 0 || replaceResidual();
    const double before = square;
    measured(
        keptResiduals.empty()
            ? space.dot(r.data(), r.data(), n)
            : space.removeComponents(std::span<const typename Space::Vector>(keptResiduals), r.data(), n));
    keep();
    space.xpay(r.data(), Real(square / before), p.data(), n);
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
    if (!alike) return result.end = End::rounding, result;
  }
  reached();
  return result;
}

}  // namespace spokelab
