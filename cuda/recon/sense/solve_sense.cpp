#include "cuda/recon/sense/solve_sense.h"

#include "cuda/recon/functional/jump_prox.h"
#include "cuda/recon/functional/low_rank_blocks.h"
#include "cuda/recon/functional/wavelet_pass.h"
#include "cuda/recon/operators/device_space.h"
#include "engine/core/measure/spans.h"
#include "engine/recon/sense/joint_solver.h"
#include "engine/recon/sense/rank_sense_run.h"
#include "engine/recon/sense/sense_run.h"

namespace spokelab::gpu {
namespace {

static_assert(VectorSpace<DeviceSpace>);

class DeviceSenseRun final : public SenseRun {
 public:
  DeviceSenseRun(TransformBackend& backend, const SenseProblem& problem) : run_(backend, problem) {}
  SenseSolution run(const IterationOptions& options, const IterationWatcher& watcher, bool newMaps,
                    const Progress& progress) override {
    const Span range("SENSE", SpanKind::range);
    return run_.run(options, watcher, newMaps, progress);
  }
  bool takePoints() override { return run_.takePoints(); }

 private:
  SpaceSenseRun<DeviceSpace> run_;
};

static_assert(SharedSpace<DeviceRankSpace>);

class DeviceRankSenseRun final : public SenseRun {
 public:
  DeviceRankSenseRun(TransformBackend& backend, Ranks& ranks, const SenseProblem& problem,
                     const std::vector<int>& share, CollectiveKeeper& keeper)
      : run_(backend, problem, share, {}, ranks, &keeper) {}
  SenseSolution run(const IterationOptions& options, const IterationWatcher& watcher, bool newMaps,
                    const Progress& progress) override {
    const Span range("SENSE", SpanKind::range);
    SenseSolution solution = run_.run(options, watcher, newMaps, progress);
    const std::string detour = run_.space().detour();
    if (!detour.empty()) solution.notes.push_back("the GPUs' images are added by the processor: " + detour);
    return solution;
  }

 private:
  RankSenseRun<DeviceRankSpace> run_;
};

}  // namespace

std::unique_ptr<SenseRun> senseRunOnDevice(TransformBackend& backend, const SenseProblem& problem) {
  return std::make_unique<DeviceSenseRun>(backend, problem);
}

std::unique_ptr<SenseRun> jointRunOnDevice(TransformBackend& backend,
                                           const std::vector<SenseProblem>& frames) {
  return std::make_unique<SpaceJointRun<DeviceSpace>>(backend, frames);
}

std::unique_ptr<SenseRun> rankSenseRunOnDevice(TransformBackend& backend, Ranks& ranks,
                                               const SenseProblem& problem, const std::vector<int>& share,
                                               CollectiveKeeper& keeper) {
  return std::make_unique<DeviceRankSenseRun>(backend, ranks, problem, share, keeper);
}

}  // namespace spokelab::gpu
