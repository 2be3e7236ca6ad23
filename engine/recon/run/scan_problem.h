// The transform that a scan needs: problem, points, and the request that tunes for it.
#pragma once

#include <vector>

#include "engine/nufft/tune/tune.h"
#include "engine/recon/job/job_plan.h"

namespace spokelab {

// The problem of the job's first frame; of its first shot, where each shot has a separate plan
// (pcSENSE). Points in cycles per pixel.
struct ScanProblem {
  NufftProblem problem;  // one slab's, where the volume is transformed in slabs; else as `whole`
  NufftProblem whole;    // the slice's or volume's
  std::int64_t slabs = 1;
  Buffer<double> points;  // [sample, dims]
  Workload workload;      // the reconstruction's
};
ScanProblem scanProblem(const Scan& scan, const JobPlan& job);
inline ScanProblem scanProblem(const Scan& scan, const ReconOptions& options) {
  return scanProblem(scan, planJob(scan, options));
}

// The request that tunes for a scan: what the reconstruction does, where the options do not name
// something else. `problem` must outlive it.
TuneRequest tuneRequest(const ScanProblem& problem, const ReconOptions& options);

}  // namespace spokelab
