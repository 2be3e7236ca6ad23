#include "engine/recon/sense/solve_sense.h"

#include "engine/recon/sense/sense_solver.h"

namespace spokelab {

SenseSolution solveSenseOnHost(TransformBackend& backend, const SenseProblem& problem,
                               const IterationOptions& options, const IterationWatcher& watcher,
                               const Progress& progress) {
  if (problem.precision == Precision::dbl) {
    HostSpace<double> space(problem.nufft.threads);
    return SenseSolver<HostSpace<double>>(space, backend, problem, options, watcher).run(progress);
  }
  HostSpace<float> space(problem.nufft.threads);
  return SenseSolver<HostSpace<float>>(space, backend, problem, options, watcher).run(progress);
}

}  // namespace spokelab
