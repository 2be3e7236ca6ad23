#include "engine/recon/explore/pixel/plan_error.h"

#include "engine/nufft/plan/design.h"

namespace spokelab {

PlanError planErrorAt(const JobPlan& job, const Index3& pixel) {
  const NufftOptions& asked = job.options.nufft;
  NufftOptions plan;  // methods and threads change nothing
  plan.accuracy = asked.accuracy;
  plan.alpha = asked.alpha;
  plan.width = asked.width;
  plan.kernel = asked.kernel;
  plan.axisAlpha = asked.axisAlpha;
  NufftProblem problem = job.whole;
  problem.batch = 1;
  const CpuPlanDesign<float> design(problem, plan);
  return {predictPixelError(problem, design.kernel, design.grid, design.error, pixel), design.options.alpha,
          design.options.width};
}

}  // namespace spokelab
