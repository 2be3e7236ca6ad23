// Tunes for what a reconstruction of a scan does: its NUFFT, or the way through its field.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/nufft/tune/search/tune_estimate.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/sense/backend.h"
#include "engine/recon/sense/paths/path_search.h"

namespace spokelab {

// The request of a search for a way through the scan's field, for the job's first frame and slice;
// nothing where `tune` serves: the job does not iterate, another direction is asked for, or no
// field acts. request: as below. Throws Error.
std::optional<PathSearchRequest> pathSearchRequest(const Scan& scan, const JobPlan& job,
                                                   const TuneRequest& request, const Progress& progress);

// request: made from scan and job (tuneRequest). If the job iterates and a field acts, the result's
// candidates are paths (sense/paths/path_search.h). Throws Error; Cancelled.
TuneResult tuneScan(const std::vector<Backend*>& backends, const Scan& scan, const JobPlan& job,
                    const TuneRequest& request, Wisdom* wisdom, const Progress& progress,
                    const std::function<void(const Candidate&)>& seen = {});

// The expected time of tuneScan(); nothing is timed. Throws Error; Cancelled.
TuneEstimate estimateTuneOfScan(const std::vector<Backend*>& backends, const Scan& scan, const JobPlan& job,
                                const TuneRequest& request, Wisdom* wisdom, const Progress& progress);

}  // namespace spokelab
