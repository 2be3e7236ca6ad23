// The model of a job: its recipe's, before and after rewriting.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/nufft/problem/path.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/model/rewrite.h"

namespace spokelab {

// The model as the options name it, before the tuner chooses the transform and its normal operator.
RewrittenModel modelOf(const JobPlan& job);
// The model with the chosen transform and normal operator.
RewrittenModel modelOf(const JobPlan& job, TransformKind transform, NormalMethod normal);

std::vector<std::pair<std::string, std::string>> modelRows(const JobPlan& job, const RewrittenModel& model);
// The same with the job's own (job_text.h): what the job would do.
std::vector<std::pair<std::string, std::string>> planRows(const JobPlan& job);

}  // namespace spokelab
