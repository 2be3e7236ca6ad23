// The accuracy that a scan deserves: the transform's error is kept ten times below the noise of the
// image. The scan's noise lines tell the noise,
//   |noise|^2 / |image|^2 = s^2 sum_j w_j^2 / (sum_c sum_j w_j |y_cj|^2 - C s^2 sum_j w_j),
// s^2 the mean variance of a coil's sample, C coils, w_j the sample's part of k-space: the shell of
// its distance from the centre, divided by the samples in that shell. Sampling that is not even
// along the angle makes more noise than this. An image of coils that are combined holds the noise
// of one of them.
#pragma once

#include <string>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

struct NoiseAccuracy {
  double noise = 0;  // of the image, relative; 0: the scan does not tell
  double accuracy = 0;
  std::string reason;  // "noise is 6 % of the image; 6e-3 suffices"
};

// For a frame and the used coils. standard: the accuracy if the scan does not tell its noise.
NoiseAccuracy accuracyByNoise(const Scan& scan, int frame, const std::vector<int>& coils, double standard);

}  // namespace spokelab
