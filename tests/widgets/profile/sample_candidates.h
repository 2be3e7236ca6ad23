// Candidates as a sweep would find them: FFT time grows with α, interpolation with W, the error
// falls with both.
#pragma once

#include <cmath>
#include <vector>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

inline Candidate sampleCandidate(double alpha, double width, bool measured = true) {
  Candidate c;
  c.backend = "cpu";
  c.options.alpha = alpha;
  c.options.width = width;
  c.options.spread = c.options.interpolate = Method::blocked;
  c.grid = {std::int64_t(64 * alpha), std::int64_t(64 * alpha), 1};
  c.predicted.relativeL2 = std::pow(10, -width * (1 - 0.5 / alpha) * 1.3);
  if (measured) c.measuredError = 1.1 * c.predicted.relativeL2;
  c.timings[Stage::spread] = 1e-3 * width * width;
  c.timings[Stage::fft] = 4e-3 * alpha * alpha * alpha;
  c.timings[Stage::zero] = 1e-4;
  c.timings.total = c.timings.accounted() + 5e-5;
  c.repeats = 5;
  c.spread = 0.02;
  return c;
}

inline std::vector<Candidate> sampleSweep() {
  std::vector<Candidate> all;
  for (double alpha : {1.125, 1.25, 1.5, 1.75, 2.0}) {
    for (double width : {3.0, 4.0, 5.0, 6.0}) all.push_back(sampleCandidate(alpha, width));
  }
  Candidate refused = sampleCandidate(1.125, 7);
  refused.timings = {};
  refused.measuredError.reset();
  refused.refused = "its error would be as large as the signal";
  all.push_back(refused);
  return all;
}

// A plan of the normal operator: gridded as above, with the error of both transforms.
inline Candidate sampleNormal(double alpha, double width) {
  Candidate c = sampleCandidate(alpha, width);
  c.options.normal = NormalMethod::gridded;
  c.predictedNormalError = 1.4 * c.predicted.relativeL2;
  c.measuredError = 1.5 * c.predicted.relativeL2;
  return c;
}

// A Toeplitz form: no interpolation, more to prepare. alphaT 0: shifted.
inline Candidate sampleToeplitz(double alphaT) {
  Candidate c = sampleNormal(1.25, 5);
  c.options.normal = alphaT > 0 ? NormalMethod::toeplitz : NormalMethod::toeplitzShifted;
  c.options.toeplitzAlpha = alphaT;
  c.timings = {};
  c.timings[Stage::fft] = alphaT > 0 ? 6e-3 * alphaT : 11e-3;
  c.timings.total = c.timings.accounted() + 5e-5;
  c.setPointsSeconds = 0.02;
  c.seconds = c.timings.total + 1e-3;
  c.predictedSeconds = 1.1 * c.seconds;
  c.predictedNormalError = 2e-5;
  c.measuredError = 3e-5;
  return c;
}

inline constexpr double sampleRatios[] = {2.0, 2.1, 2.25};

// A sweep over all paths of a normal operator: 20 gridded plans, 3 of Toeplitz padded, 1 shifted.
inline std::vector<Candidate> samplePaths() {
  std::vector<Candidate> all;
  for (double alpha : {1.125, 1.25, 1.5, 1.75, 2.0})
    for (double width : {3.0, 4.0, 5.0, 6.0}) all.push_back(sampleNormal(alpha, width));
  for (const double ratio : sampleRatios) all.push_back(sampleToeplitz(ratio));
  all.push_back(sampleToeplitz(0));
  return all;
}

}  // namespace spokelab
