#include "cuda/recon/sense/solve_sense.h"

#include "cuda/device/profiler_range.h"
#include "cuda/recon/operators/device_space.h"
#include "engine/recon/sense/sense_run.h"

namespace spokelab::gpu {
namespace {

static_assert(VectorSpace<DeviceSpace>);

class DeviceSenseRun final : public SenseRun {
 public:
  DeviceSenseRun(TransformBackend& backend, const SenseProblem& problem) : run_(backend, problem) {}
  SenseSolution run(const IterationOptions& options, const IterationWatcher& watcher, bool newMaps,
                    const Progress& progress) override {
    const ProfilerRange range("SENSE");
    return run_.run(options, watcher, newMaps, progress);
  }
  bool takePoints() override { return run_.takePoints(); }

 private:
  SpaceSenseRun<DeviceSpace> run_;
};

}  // namespace

std::unique_ptr<SenseRun> senseRunOnDevice(TransformBackend& backend, const SenseProblem& problem) {
  return std::make_unique<DeviceSenseRun>(backend, problem);
}

}  // namespace spokelab::gpu
