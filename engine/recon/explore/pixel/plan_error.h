// The error that is to be expected of the transform in one pixel.
#pragma once

#include "engine/recon/job/job_plan.h"

namespace spokelab {

struct PlanError {
  double relative = 0;          // standard deviation, to the root mean square of the image
  double alpha = 0, width = 0;  // the plan
};

// The error of the job's plan at a pixel. Alpha and W that the options leave open follow from the
// accuracy, without tuning. Throws Error if no such plan exists.
PlanError planErrorAt(const JobPlan& job, const Index3& pixel);

}  // namespace spokelab
