// The error that is to be expected of the transform in one pixel.
#pragma once

#include "engine/recon/job/job_plan.h"

namespace spokelab {

struct PlanError {
  double relative = 0;          // standard deviation, to the root mean square of the image
  double alpha = 0, width = 0;  // the plan
};

// Of the job's plan; alpha and W that its options leave open follow from the accuracy, without
// tuning. Throws Error where there is no such plan.
PlanError planErrorAt(const JobPlan& job, const Index3& pixel);

}  // namespace spokelab
