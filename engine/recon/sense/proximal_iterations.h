// FISTA, alternating directions or primal-dual steps over a model of SENSE: minimise over x
//   1/2 sum |W^{1/2} (E x - y)|^2 / D + lambda S R(x)
// S is the largest magnitude of the gridded image A^H W y / D: of data divided by S this is lambda
// R(x), and the largest gridded value is 1, so that one lambda serves scan after scan. The
// objective is of these scaled data.
#pragma once

#include <functional>
#include <optional>

#include "engine/core/error.h"
#include "engine/recon/options/denoiser.h"
#include "engine/recon/sense/dual/coil_samples.h"
#include "engine/recon/sense/iteration_news.h"
#include "engine/recon/solve/admm.h"
#include "engine/recon/solve/ending_text.h"
#include "engine/recon/solve/fista.h"
#include "engine/recon/solve/primal_dual.h"

namespace spokelab {

// The user's denoiser. Throws Error where none is given.
inline Denoiser& denoiserOf(const IterationOptions& options) {
  if (!options.denoiser.get())
    throw Error("Cannot reconstruct iteratively", "the method takes a denoiser, and none is given",
                "Name its file (denoiser), or use another method");
  return *options.denoiser.get();
}

inline void noteDenoiser(const IterationOptions& options, SenseSolution& solution) {
  solution.notes.push_back("denoiser: " + options.denoiser.get()->title());
}

inline std::string scaleNote(double scale) {
  return "lambda and objective refer to data divided by " + numberText(scale, 4) +
         ", whose largest gridded value is 1";
}

// One type for all functionals and models: a space's solvers are compiled once.
template <class Complex>
struct ProximalMap {
  std::function<double(double threshold, Complex* values)> prox;
};

// b, x [n]: right side and result; halfEnergy: 1/2 sum W |y|^2 / D. tell(residual, objective):
// IterationAction, after each iteration; the objective is empty where the functional does not know
// its value. samples: of primal-dual steps (coil_samples.h); null: FISTA or alternating directions.
// Throws Cancelled, with the last image in x.
template <VectorSpace Space, class Apply, class Functional, class Tell, class Samples = CoilSamples<Space>>
void proximalIterations(Space& space, const Apply& apply, Functional& functional,
                        const typename Space::Complex* b, typename Space::Complex* x, std::int64_t n,
                        double scale, double halfEnergy, const IterationOptions& options, const Tell& tell,
                        SenseSolution& solution, Samples* samples = nullptr) {
  using Complex = typename Space::Complex;
  ProximalMap<Complex> timed{[&](double threshold, Complex* values) {
    double value = 0;
    space.timed(SpaceWork::regularizer, [&] { value = functional.prox(threshold, values); });
    return value;
  }};
  const std::function<void(const Complex*, Complex*)> product = [&](const Complex* in, Complex* out) {
    apply(in, out);
  };
  const std::function<double()> weight = [&] { return options.lambda * scale; };
  const std::function<IterationAction(const FistaState&)> each = [&](const FistaState& state) {
    std::optional<double> objective = state.objective / (scale * scale);
    if constexpr (requires { functional.knowsValue(); })
      if (!functional.knowsValue()) objective.reset();
    return tell(state.residual, objective);
  };
  solution.notes.push_back(scaleNote(scale));
  const FistaOptions ending{options.iterations, options.tolerance, options.minChange, halfEnergy};
  const auto solve = [&] {
    if (samples) return primalDual(space, *samples, x, n, timed, weight, ending, each);
    if (options.solver == IterationSolver::admm)
      return admm(space, product, b, x, n, timed, weight, ending, each);
    return fista(space, product, b, x, n, timed, weight, ending, each);
  };
  const FistaResult result = solve();
  solution.converged = result.end == FistaEnd::tolerance;
  if (result.end == FistaEnd::settled && solution.ending.empty())
    solution.ending = endingText(ConjugateGradientEnd::settled, 0);
}

}  // namespace spokelab
