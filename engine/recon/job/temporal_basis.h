// The temporal basis of a subspace reconstruction: frames x_t = sum_k phi(t, k) c_k of images c_k.
// From a file, or the singular vectors of decays e^{-TE/T2} at the frames' echo times (Tamir et
// al., "T2 shuffling", MRM 2017), or of fingerprints (fingerprints.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/number_list.h"
#include "engine/recon/options/subspace_options.h"
#include "engine/scan/frame_axes.h"

namespace spokelab {

struct FingerprintDictionary;

struct TemporalBasis {
  int frames = 0, coefficients = 0;
  std::vector<cdouble> values;                              // [frame, coefficient]
  std::string origin;                                       // in words
  std::shared_ptr<const FingerprintDictionary> dictionary;  // of fingerprints; null: of none

  bool empty() const { return values.empty(); }
};

// The frames that a basis is for.
struct BasisRequest {
  std::string summary;      // of errors
  std::vector<int> frames;  // numbers in the scan
  int count = 0;            // frames of the scan
  FrameAxes axes;           // of these frames; empty: unknown
  bool fingerprints = false;
};

// A file has one row for each frame of the scan, or for each frame of the request. Throws Error if
// the basis does not fit, is not finite, or cannot be made.
TemporalBasis temporalBasis(const BasisRequest& request, const SubspaceOptions& options);

// The first right singular vectors of decays with T2 in the range (logarithmic steps, each decay
// of length 1). echoTimes and t2: s. coefficients 0: the fewest whose largest error of a decay is
// at most `error`. largestError: of what is returned.
TemporalBasis decayBasis(const std::vector<double>& echoTimes, const NumberWindow& t2, int coefficients,
                         double error, double& largestError);

}  // namespace spokelab
