// What a scan asks of the transform: problem, points, and the request that tunes for it.
#pragma once

#include <vector>

#include "engine/nufft/tune/tune.h"
#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Of the first frame that is asked for; points in cycles per pixel.
struct ScanProblem {
  NufftProblem problem;
  std::vector<double> points;
};
ScanProblem scanProblem(const Scan& scan, const ReconOptions& options);

// The request that tunes for a scan: adjoint, with the options' effort. `problem` must outlive it.
TuneRequest tuneRequest(const ScanProblem& problem, const ReconOptions& options);

}  // namespace spokelab
