// Total variation by alternating directions (Goldstein, Osher 2009):
//   minimize 1/2 <x, N x> - Re <b, x> + lambda S TV(x),   TV(x) = sum of |D x|,   D the differences
//   x     = argmin 1/2 <x, N x> - Re <b, x> + mu/2 |D x - d + e|^2   by some conjugate gradients
//   d     = D x + e, each pixel's differences shrunk by S lambda / mu;   e += D x - d
// mu is a fixed multiple of lambda, so that the threshold does not depend on it.
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/recon/solve/conjugate_gradient.h"

namespace spokelab {

struct VariationSplitOptions {
  int iterations = 10;   // of the conjugate gradients, in all
  double tolerance = 0;  // of the residual; 0: none
  double minChange = 0;  // of x between two shrinkages, relative; 0: none
  double scale = 1;      // S
};

enum class VariationSplitEnd { iterations, tolerance, settled, rounding, watcher };

// apply(p, out): out = N p. differences: D (functional/image_differences.h). lambda(): asked before
// each shrinkage; 0: none. each(residual): IterationAction, after every step. x: start and result.
template <VectorSpace Space, class Apply, class Differences, class Lambda, class Each>
VariationSplitEnd variationSplit(Space& space, const Apply& apply, const typename Space::Complex* b,
                                 typename Space::Complex* x, std::int64_t unknowns, Differences& differences,
                                 const Lambda& lambda, const VariationSplitOptions& options,
                                 const Each& each) {
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;
  using End = VariationSplitEnd;
  constexpr int stepsPerShrinkage = 4;
  constexpr double penaltyOverLambda = 20;
  const std::int64_t n = differences.count();
  auto split = space.make(n), dual = space.make(n), step = space.make(n), right = space.make(unknowns);
  typename Space::Vector before;
  space.zero(split.data(), n);
  space.zero(dual.data(), n);
  bool stopped = false;
  for (int done = 0; done < options.iterations;) {
    const double penalty = penaltyOverLambda * lambda();
    const auto penalized = [&](const Complex* in, Complex* out) {
      apply(in, out);
      if (penalty > 0) space.timed(SpaceWork::regularizer, [&] { differences.addNormal(penalty, in, out); });
    };
    space.copy(b, right.data(), unknowns);
    space.copy(split.data(), step.data(), n);
    space.axpy(Real(-1), dual.data(), step.data(), n);
    differences.addAdjoint(penalty, step.data(), right.data());
    if (options.minChange > 0) {
      if (before.size() == 0) before = space.make(unknowns);
      space.copy(x, before.data(), unknowns);
    }
    const auto result =
        conjugateGradient(space, penalized, right.data(), x, unknowns,
                          {std::min(stepsPerShrinkage, options.iterations - done), options.tolerance},
                          [&](int, double residual) {
                            const IterationAction action = each(residual);
                            stopped = action == IterationAction::stop;
                            return action == IterationAction::restart ? IterationAction::stop : action;
                          });
    done += result.iterations;
    if (result.end == ConjugateGradientEnd::rounding) return End::rounding;
    if (result.iterations == 0 && result.end == ConjugateGradientEnd::tolerance) return End::tolerance;
    if (stopped) return End::watcher;
    if (options.minChange > 0) {
      space.axpy(Real(-1), x, before.data(), unknowns);
      const double moved = space.dot(before.data(), before.data(), unknowns);
      if (std::sqrt(moved) < options.minChange * std::sqrt(space.dot(x, x, unknowns))) return End::settled;
    }
    if (penalty == 0) continue;
    space.timed(SpaceWork::regularizer, [&] {
      differences.apply(x, split.data());
      space.axpy(Real(1), dual.data(), split.data(), n);
      space.copy(split.data(), dual.data(), n);
      differences.shrink(options.scale / penaltyOverLambda, split.data());
      space.axpy(Real(-1), split.data(), dual.data(), n);
    });
  }
  return End::iterations;
}

}  // namespace spokelab
