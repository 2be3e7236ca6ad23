// Density weights of a scan by several methods, side by side: how well they agree, and the point
// spread function of each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/recon/density/density.h"
#include "engine/recon/explore/point_spread.h"

namespace spokelab {

// The difference of two sets of weights within `share` of the sampled radius (in units of the
// matrix). The rest is left out: at the rim methods differ in their guess of what is beyond.
struct WeightAgreement {
  double rms = 0;    // ||a - b|| / ||b||
  double total = 0;  // sum a / sum b - 1
};
inline constexpr double innerShare = 0.9;
WeightAgreement compareWeights(const Trajectory& trajectory, const Index3& matrix, std::span<const double> a,
                               std::span<const double> b, double share = innerShare);

struct DensityTrial {
  DensityMethod method = DensityMethod::automatic;
  std::string refused;     // why the method cannot be had here, or empty
  DensityWeights weights;  // [sample]
  PointSpread spread;
  WeightAgreement agreement;  // with the first trial that was not refused
  double seconds = 0;         // for the weights
};

// Compares the methods on the first selected frame. methods empty: all but automatic and none.
// Throws Error; Cancelled.
std::vector<DensityTrial> compareDensity(const Scan& scan, const ReconOptions& options,
                                         std::vector<DensityMethod> methods, NufftBackend& backend,
                                         const Progress& progress);

}  // namespace spokelab
