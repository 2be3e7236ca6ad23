#include "cuda/recon/sense/solve_sense.h"

#include "cuda/device/profiler_range.h"
#include "cuda/recon/operators/device_space.h"
#include "engine/recon/sense/sense_solver.h"

namespace spokelab::gpu {

static_assert(VectorSpace<DeviceSpace>);

SenseSolution solveSenseOnDevice(TransformBackend& backend, const SenseProblem& problem,
                                 const IterationOptions& options, const IterationWatcher& watcher,
                                 const Progress& progress) {
  const ProfilerRange range("SENSE");
  DeviceSpace space;
  return SenseSolver<DeviceSpace>(space, backend, problem, options, watcher).run(progress);
}

}  // namespace spokelab::gpu
