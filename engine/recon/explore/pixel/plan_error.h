// The error that is to be expected of the transform in one pixel.
#pragma once

#include "engine/recon/job/job_plan.h"

namespace spokelab {

struct PlanError {
  double relative = 0;          // standard deviation, to the root mean square of the image
  double alpha = 0, width = 0;  // the plan
};

// The plan's error at a pixel; open alpha and W follow from the accuracy. Throws Error.
PlanError planErrorAt(const JobPlan& job, const Index3& pixel);

}  // namespace spokelab
