// Values of a scan's points that earlier starts of the program have kept
// (core/output/kept_values.h).
#pragma once

#include <memory>
#include <vector>

#include "engine/core/output/kept_values.h"
#include "engine/recon/job/job_plan.h"

namespace spokelab {

class Wisdom;

// The folder beside the wisdom's file, for the points of the job's first frame. Null where nothing
// is kept: no wisdom, or the options make all afresh.
std::unique_ptr<KeptValues> keptOfJob(const Scan& scan, const JobPlan& job, const Wisdom* wisdom);

// The kept values of these points, for a job that has not begun. The job's options decide which of
// them it takes.
std::vector<KeptItem> keptBefore(const Scan& scan, const JobPlan& job, const Wisdom* wisdom);

}  // namespace spokelab
