// SenseRun over a vector space: CPU and GPU each instantiate it in one source. It keeps the plan
// between runs, so that new samples need no new plan.
#pragma once

#include <utility>

#include "engine/recon/sense/sense_solver.h"

namespace spokelab {

template <VectorSpace Space>
class SpaceSenseRun final : public SenseRun {
 public:
  // arguments: for the space's constructor. Backend and problem must outlive this object.
  template <class... Arguments>
  SpaceSenseRun(TransformBackend& backend, const SenseProblem& problem, Arguments... arguments)
      : space_(arguments...), backend_(backend), problem_(problem) {}

  SenseSolution run(const IterationOptions& options, const IterationWatcher& watcher, bool newMaps,
                    const Progress& progress) override {
    return SenseSolver<Space>(space_, backend_, problem_, options, watcher)
        .run(plan_, progress, newMaps, std::exchange(newPoints_, false));
  }
  bool takePoints() override { return newPoints_ = takesPoints(problem_, plan_); }

 private:
  Space space_;
  TransformBackend& backend_;
  const SenseProblem& problem_;
  SensePlan<Space> plan_;
  bool newPoints_ = false;
};

}  // namespace spokelab
