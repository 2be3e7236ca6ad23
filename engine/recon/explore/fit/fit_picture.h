// The picture of a scan under a correction: one frame and slice on a small matrix, for the eye.
#pragma once

#include <memory>
#include <string>

#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct TrialCorrection {
  Vec3 delays{0, 0, 0};         // samples, along each axis
  Vec3 scales{1, 1, 1};         // factors of k
  double driftTurns = 0;        // of phase, from the first shot to the last (correct_drift.h)
  std::string girf;             // as readGirf takes it; empty: none
  double concomitantField = 0;  // T: terms of this field strength (concomitant.h); 0: none
  // rad/s (ModelFit::field), of which the share acts; with it a few iterations make the picture.
  std::shared_ptr<const Image> field;
  double fieldShare = 1;
};

// The picture of the frame and slice (or volume) that fitModel() fits. A slice has at most `size`
// pixels along an axis, a volume at most half of that. Throws Error, Cancelled.
std::shared_ptr<const Image> fitPicture(const Scan& scan, const ReconOptions& options,
                                        const TrialCorrection& trial, std::int64_t size,
                                        const Progress& progress);

}  // namespace spokelab
