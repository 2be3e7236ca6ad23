#include "engine/recon/density/frame_densities.h"

namespace spokelab {

const DensityWeights& FrameDensities::of(int frame, const Progress& progress) {
  const int key = scan_.trajectories.size() > 1 ? frame : 0;
  if (const auto found = densities_.find(key); found != densities_.end()) return found->second;
  const JobTimer timer(JobStage::density);
  return densities_[key] =
             densityWeights(scan_.trajectory(frame), scan_.geometry.matrix, options_, backend_, progress);
}

std::string FrameDensities::originInSolve(int frame, const Progress& progress) {
  return options_.iterative.dataWeights == DataWeights::density ? of(frame, progress).origin
                                                                : "data not weighted";
}

}  // namespace spokelab
