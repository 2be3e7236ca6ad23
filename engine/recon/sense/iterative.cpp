// Iterative reconstruction on the CPU; names.
#include "engine/recon/sense/iterative.h"

#include "engine/recon/sense/sense_solver.h"

namespace spokelab {

SenseSolution solveSenseOnHost(Backend& backend, const SenseProblem& problem, const IterationOptions& options,
                               const IterationWatcher& watcher, const Progress& progress) {
  if (problem.precision == Precision::dbl) {
    HostSpace<double> space(problem.nufft.threads);
    return SenseSolver<HostSpace<double>>(space, backend, problem, options, watcher).run(progress);
  }
  HostSpace<float> space(problem.nufft.threads);
  return SenseSolver<HostSpace<float>>(space, backend, problem, options, watcher).run(progress);
}

std::string_view transformName(TransformKind kind) {
  constexpr std::string_view names[] = {"nufft", "toeplitz", "gdft", "gdftr2", "segmented", "auto"};
  return names[int(kind)];
}

std::string_view regularizationName(Regularization kind) {
  constexpr std::string_view names[] = {"tikhonov", "roughness", "tv"};
  return names[int(kind)];
}

std::string_view interpolatorName(SegmentInterpolator kind) {
  constexpr std::string_view names[] = {"hanning", "min-max", "svd"};
  return names[int(kind)];
}

}  // namespace spokelab
