// Values of a scan's points that earlier starts of the program have kept
// (core/output/kept_values.h).
#pragma once

#include <memory>
#include <vector>

#include "engine/core/output/kept_values.h"
#include "engine/recon/job/job_plan.h"

namespace spokelab {

class Wisdom;

// The folder beside the wisdom for the first frame's points. Null if nothing is kept.
std::unique_ptr<KeptValues> keptOfJob(const Scan& scan, const JobPlan& job, const Wisdom* wisdom);

// Kept values of these points before a job, whose options decide which it takes.
std::vector<KeptItem> keptBefore(const Scan& scan, const JobPlan& job, const Wisdom* wisdom);

}  // namespace spokelab
