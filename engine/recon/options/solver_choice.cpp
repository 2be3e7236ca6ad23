#include "engine/recon/options/solver_choice.h"

#include <algorithm>
#include <string>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/recon/options/options.h"
#include "engine/recon/options/recipe_table.h"

namespace spokelab {
namespace {

using Solver = IterationSolver;

Regularization regularizationOf(const ReconOptions& options) {
  const auto recipePrior = recipeOf(options).regularization;
  return recipePrior ? *recipePrior : options.iterative.solver.regularization;
}

}  // namespace

std::vector<Solver> solversOf(const ReconOptions& options) {
  const Recipe& recipe = recipeOf(options);
  if (!recipe.iterates) return {};
  const Regularization kind = regularizationOf(options);
  // Newton's steps, total variation and roughness have one each.
  if (recipe.findsMaps) return {Solver::conjugateGradients};
  if (kind == Regularization::totalVariation && !recipe.joinsFrames)
    return {options.iterative.solver.lambda != 0 ? Solver::admm : Solver::conjugateGradients};
  if (kind == Regularization::tikhonov && !recipe.joinsFrames)
    return {Solver::conjugateGradients, Solver::lsmr};
  if (kind <= Regularization::roughness) return {Solver::conjugateGradients};
  if (recipe.joinsFrames || recipe.coilImages) return {Solver::fista, Solver::admm};
  return {Solver::fista, Solver::admm, Solver::primalDual, Solver::preconditionedDual};
}

Solver solverOf(const ReconOptions& options) {
  const std::vector<Solver> usableSolvers = solversOf(options);
  const Solver named = options.iterative.solver.solver;
  if (usableSolvers.empty()) return Solver::automatic;
  return std::find(usableSolvers.begin(), usableSolvers.end(), named) != usableSolvers.end()
             ? named
             : usableSolvers.front();
}

std::string_view solverWords(Solver solver) {
  switch (solver) {
    case Solver::lsmr:
      return "LSMR";
    case Solver::admm:
      return "alternating directions, conjugate gradients inside";
    case Solver::primalDual:
      return "primal-dual hybrid gradients";
    case Solver::preconditionedDual:
      return "primal-dual hybrid gradients with a preconditioner in k-space";
    default:
      return {};
  }
}

double productsPerIteration(const ReconOptions& options) {
  // Split differences count their conjugate gradients as iterations.
  const bool counts = regularizationOf(options) == Regularization::totalVariation;
  return solverOf(options) == Solver::admm && !counts ? 1 + alternatingInnerSteps : 1;
}

void requireSolver(const ReconOptions& options, const std::string& summary) {
  const std::vector<Solver> usableSolvers = solversOf(options);
  const Solver named = options.iterative.solver.solver;
  if (usableSolvers.size() < 2 || named == Solver::automatic || solverOf(options) == named) return;
  std::vector<std::string> names;
  for (const Solver solver : usableSolvers) names.emplace_back(solverName(solver));
  throw Error(summary, "the method has no solver " + std::string(solverName(named)),
              "Use solver = auto, or one of " + joined(names));
}

}  // namespace spokelab
