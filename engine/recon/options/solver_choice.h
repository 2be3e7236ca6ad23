// The solvers that a method can take (option solver).
#pragma once

#include <string_view>
#include <vector>

#include "engine/recon/options/solver_options.h"

namespace spokelab {

struct ReconOptions;

// The first is the one of "auto"; empty: the method does not iterate.
std::vector<IterationSolver> solversOf(const ReconOptions& options);
// The one that the options mean. A method with one solver takes it, whatever is named.
IterationSolver solverOf(const ReconOptions& options);
// In words, for the job's plan; empty: the recipe's own words serve.
std::string_view solverWords(IterationSolver solver);
// Products with the normal operator in an iteration, or as much work.
double productsPerIteration(const ReconOptions& options);
// Throws Error (summary) if the method has several solvers, but not the named one.
void requireSolver(const ReconOptions& options, const std::string& summary);

}  // namespace spokelab
