// Maps of the noise of a reconstruction by pseudo-replicas (Robson et al., MRM 60:895, 2008): the
// scan's samples with drawn noise of its covariance are frames of one job, as often as asked, and
// the images' spread is the noise of each pixel. Any method that makes each frame by itself.
//   noise   standard deviation over replicas of the part in phase with the image
//   SNR     |image| / noise
//   g       noise sqrt(M) / s, M the samples of a coil, s the standard deviation of a sample: 1 for
//           evenly weighted, fully sampled data and coil maps of root sum of squares 1; regularised
//           images may have less
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/options/options.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct NoiseMapOptions {
  int replicas = 100;
  // Standard deviation of real and imaginary part of a sample, equal and independent in all coils;
  // 0: by the scan's noise lines.
  double sigma = 0;
  unsigned seed = 1;
  double maxBytes = 2e9;  // of replicas' samples and images at a time
};

struct NoiseMaps {
  std::shared_ptr<const Image> image;          // of the scan itself
  std::shared_ptr<Image> noise, snr, gFactor;  // real numbers, one frame
  int replicas = 0;
  double medianSnr = 0, medianG = 0;  // where the image is above a tenth of its largest value
  double relativeError = 0;           // of each pixel's noise, by the number of replicas
  bool cancelled = false;
  std::vector<std::string> notes;
};

// reconstruct: as reconstruct() with the caller's backends and wisdom. The first of options.frames,
// all of options.slices. Throws Error where the scan has no noise lines and no sigma is given,
// where the method joins frames, and as reconstructions do.
NoiseMaps noiseMaps(
    const Scan& scan, const ReconOptions& options, const NoiseMapOptions& noise,
    const std::function<Reconstruction(const Scan&, const ReconOptions&, const Progress&)>& reconstruct,
    const Progress& progress);

}  // namespace spokelab
