// The density weights of the frames of a job, each made once.
#pragma once

#include <map>

#include "engine/recon/density/density.h"
#include "engine/recon/job/job_account.h"

namespace spokelab {

class FrameDensities {
 public:
  // All must outlive this.
  FrameDensities(const Scan& scan, const ReconOptions& options, NufftBackend& backend)
      : scan_(scan), options_(options), backend_(backend) {}

  // Valid as long as this lives. Throws Error, Cancelled.
  const DensityWeights& of(int frame, const Progress& progress);
  // The origin of the weights for a result's text. "data not weighted" if the options leave the
  // data of iterations unweighted: no weights are made then.
  std::string originInSolve(int frame, const Progress& progress);

 private:
  const Scan& scan_;
  const ReconOptions& options_;
  NufftBackend& backend_;
  std::map<int, DensityWeights> densities_;  // by frame; one that all share is frame 0's
};

}  // namespace spokelab
