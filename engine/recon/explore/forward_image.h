// An image to the samples that a scan of it would have measured: the forward transform.
//   y[c, j] = sum_n C_c(n) f(n) e^{-2 pi i n . k_j}     ([formulas]), unscaled; without maps C = 1
// n from -floor(N/2), N the image's matrix; k in cycles per pixel: the trajectory's cycles/FOV over
// N.
#pragma once

#include <memory>
#include <vector>

#include "engine/nufft/tune/result/tune_result.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

class Wisdom;

struct ForwardResult {
  std::shared_ptr<const Scan> scan;          // the samples, in double precision where options.inDouble()
  PlanInfo plan;                             // as used
  std::shared_ptr<const TuneResult> tuning;  // null where nothing was tuned
  double seconds = 0;
};

// `pattern`: its trajectories, one for all of the image's frames or one for each; its samples are
// not looked at. Slices of an image of a 2-D trajectory are the slices of the scan. `maps`: coil
// sensitivities, a frame each, or null. Only the transform's `options` count. Throws Error where
// sizes do not fit; Cancelled.
ForwardResult forwardImage(const std::vector<Backend*>& backends, const Image& image, const Scan& pattern,
                           const Image* maps, const ReconOptions& options, Wisdom* wisdom,
                           const Progress& progress);

}  // namespace spokelab
