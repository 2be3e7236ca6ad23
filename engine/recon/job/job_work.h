// The size of a reconstruction, as far as its time depends on it: it compares one job with an
// earlier one.
#pragma once

#include <span>
#include <string>

#include "engine/recon/job/job_account.h"
#include "engine/recon/job/job_plan.h"

namespace spokelab {

struct JobWork {
  std::string kind;  // what must be alike: machine, method, dimensions, precision, effort, ...
  // Over all frames and slices: a coil's samples, pixels, pixels of maps; coils; iterations (0:
  // none).
  double samples = 0, pixels = 0, mapPixels = 0, coils = 1, iterations = 0;
};

// backends: the job may run on any of them.
JobWork jobWork(const JobPlan& plan, std::span<NufftBackend* const> backends);

// The quantity that a stage's time is proportional to; 1: its time is constant.
double workOf(JobStage stage, const JobWork& work);

// Sum of the logarithms (base 2) of the ratios; infinite for jobs of different kinds.
double distance(const JobWork& a, const JobWork& b);

}  // namespace spokelab
