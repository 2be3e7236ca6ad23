// Field and R2* from images of two or more echoes, z_e = m e^{-(i w + R) T_e} + noise:
//   1. the pair of echoes with the least time between them: w modulo 2 pi / dT from the phase of
//      z_{e+1} conj(z_e), unwrapped in space; the turns of a region by all echoes, or nearest to 0
//   2. further echoes, each time span at most twice the one before: the phase that is left beside
//      the map so far is fitted by a line over the echo times, weighted by |z_e|^2
//   3. after each step the map is smoothed (smooth_map.h), weighted by its inverse variance
//      sum_e |z_e|^2 (T_e - mean T)^2
// R is the slope of log |z_e| with these weights, smoothed likewise.
#pragma once

#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

struct EchoImages {
  Index3 size{1, 1, 1};                     // x, y, z
  std::vector<double> times;                // s, ascending
  std::vector<std::vector<cfloat>> images;  // [echo][z, y, x]
};

struct EchoField {
  std::vector<double> field;      // rad/s
  std::vector<double> deviation;  // rad/s: standard deviation of a pixel's value before smoothing
  std::vector<double> decay;      // 1/s, not negative; 0 outside the object
  std::vector<bool> object;       // pixels whose phase counted
  int regions = 0;                // parts of the object that touch nowhere
  double span = 0;                // s between the echoes of step 1: known modulo 2 pi / span rad/s
};

// smoothing: width of smoothMap(), in pixels. Throws Error where there are fewer than two echoes,
// times do not rise, or no pixel has a signal; Cancelled.
EchoField fieldFromEchoImages(const EchoImages& echoes, double smoothing, const Progress& progress);

}  // namespace spokelab
