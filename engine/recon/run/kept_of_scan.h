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

// The list of all values that are kept for the first frame's points. The job may take some of them,
// by its options; empty if nothing is kept.
std::vector<KeptItem> keptBefore(const Scan& scan, const JobPlan& job, const Wisdom* wisdom);

}  // namespace spokelab
