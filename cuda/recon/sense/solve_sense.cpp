#include "cuda/recon/sense/solve_sense.h"

#include "cuda/device/profiler_range.h"
#include "cuda/recon/operators/device_space.h"
#include "engine/recon/sense/sense_run.h"

namespace spokelab::gpu {

static_assert(VectorSpace<DeviceSpace>);

std::unique_ptr<SenseRun> senseRunOnDevice(TransformBackend& backend, const SenseProblem& problem) {
  return std::make_unique<SpaceSenseRun<DeviceSpace>>(backend, problem);
}

SenseSolution solveSenseOnDevice(TransformBackend& backend, const SenseProblem& problem,
                                 const IterationOptions& options, const IterationWatcher& watcher,
                                 const Progress& progress) {
  const ProfilerRange range("SENSE");
  return senseRunOnDevice(backend, problem)->run(options, watcher, false, progress);
}

}  // namespace spokelab::gpu
