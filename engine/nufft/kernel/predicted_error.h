// The predicted error of a plan, part by part (error_model.h).
#pragma once

#include <cstdint>

#include "engine/nufft/kernel/crowding.h"

namespace spokelab {

struct PredictedError {
  double relativeL2 = 0;  // aliasing + polynomial + rounding, root of the sum of squares
  // sqrt(prod_d (1 + <eps_d^2>) - 1), with eps_d the relative error of aliases along dimension d:
  // the mean over pixels and over places of the points.
  double aliasing = 0;
  double worstPixel = 0;  // the same with the maximum over pixels
  // The mean over pixels, for points that all lie at the worst place between grid cells.
  double worstPosition = 0;
  double polynomial = 0;  // share of the piecewise polynomial
  // The number that must not exceed the accuracy asked for: relativeL2 with worstPosition in the
  // place of aliasing, which holds for every set of points; or worstPixel, if the problem's measure
  // says so.
  double bound = 0;
  // c u prod_d rms_FOV(1/h) rms_G(h), and a floor; u is the unit roundoff, h the kernel's
  // transform, FOV the image's pixels and G the grid's cells. c counts the largest number of terms
  // that are summed in a cell at one level (crowding.h), so it holds for all places of points.
  double rounding = 0;
  // The same where few terms meet in a cell: c without the growth with their number.
  double roundingOfFewTerms = 0;
  // prod_d rms_FOV(1/h): what noise in the grid's cells becomes in the image, both relative to the
  // samples (l2 norms).
  double noiseGain = 1;
  std::int64_t crowdLimit = minCrowdLimit;  // points of a block that are summed at one level
};

}  // namespace spokelab
