// The dictionary of MR fingerprinting (Ma et al., Nature 495:187, 2013) in the space of its first
// singular vectors (McGivney et al., IEEE TMI 33:2311, 2014): signals of tissues on a grid of T1
// and T2, by extended phase graphs. A pixel's coefficients c match the signal d for which |<d, c>|
// / |d| is largest; <d, c> / |d|^2 is then its equilibrium magnetization.
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/number_list.h"
#include "engine/scan/simulate/fingerprint.h"

namespace spokelab {

struct FingerprintMatch {
  double t1 = 0, t2 = 0;  // s
  std::complex<double> signal;
};

struct FingerprintDictionary {
  int coefficients = 0;
  std::vector<double> t1, t2;   // [signal] s
  std::vector<double> values;   // [signal, coefficient] in the basis, scaled to length 1
  std::vector<double> lengths;  // [signal]: length of the coefficients before that
  std::vector<double> vectors;  // [coefficient, frame]: the basis, orthonormal
  double largestError = 0;      // that the basis leaves in a signal, relative

  // coefficients [coefficient], `stride` apart.
  template <class Real>
  FingerprintMatch match(const std::complex<Real>* coefficients, std::size_t stride) const;
};

struct FingerprintRequest {
  FingerprintSequence sequence;
  NumberWindow t1, t2;   // s
  int coefficients = 0;  // 0: the fewest whose largest error is at most `error`
  double error = 1e-2;

  bool operator==(const FingerprintRequest& other) const;
};

// The last one is kept: a plan is made again and again while options change.
std::shared_ptr<const FingerprintDictionary> fingerprintDictionary(const FingerprintRequest& request);

// Orthonormal vectors [vector, frame] of the largest parts of curves [curve, frame], each of
// length 1: `coefficients` of them, or the fewest that leave at most `error` in any curve.
// largestError: what they leave.
std::vector<double> leadingVectors(const std::vector<double>& curves, int frames, int coefficients,
                                   double error, double& largestError);

}  // namespace spokelab
