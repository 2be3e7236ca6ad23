// The choice of lambda for Tikhonov SENSE of a slice (or volume), from the images of a whole range
// of lambda (sense/range/lambda_range.h):
//   corner       of the L-curve of log misfit and log |x| (Hansen, SIAM Rev. 34:561, 1992): where
//                it bends most
//   discrepancy  the misfit is as large as the scan's noise alone makes it (Morozov 1966): the sum
//                of the noise variances of all coils, because the misfit's weights add up to 1
//   held out     samples that another run left out are predicted best
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/recon/sense/backend.h"
#include "engine/recon/sense/range/lambda_range.h"

namespace spokelab {

struct LambdaChoice {
  std::shared_ptr<const LambdaRange> range;
  std::shared_ptr<const Image> place;  // an image of zeros at the place of the images
  int exponent = 0;                    // the samples were multiplied by 2^exponent
  int frame = 0, slice = 0;
  std::vector<double> curvature;  // of the L-curve, one a point of the range; 0 at its ends
  double noise = 0;               // misfit of the noise alone; 0: the scan has no noise lines
  std::optional<double> corner, discrepancy, heldOut;  // lambda; none: the range has none
  std::vector<std::string> notes;                      // of the maps, and why a choice is missing

  std::shared_ptr<const Image> image(double lambda) const;
};

// options.frames and options.slices: the first of each. sigma: standard deviation of a sample's
// real and imaginary part in all coils, in place of noise lines; 0: by these. Throws Error for any
// method other than SENSE with Tikhonov regularization, and as reconstructions do; Cancelled.
LambdaChoice chooseLambda(Backend& backend, const Scan& scan, const ReconOptions& options,
                          const LambdaRangeOptions& range, double sigma, const Progress& progress);

// Curvature of the L-curve at each point, positive where it bends like an L.
std::vector<double> curvatureOf(const std::vector<LambdaPoint>& points);
// lambda where the misfit is `noise`; none: it is larger or smaller in the whole range.
std::optional<double> lambdaOfMisfit(const std::vector<LambdaPoint>& points, double noise);

}  // namespace spokelab
