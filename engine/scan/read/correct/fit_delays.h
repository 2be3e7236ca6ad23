// Gradients act later than they are asked to, on each axis by another time: k_d(j) is where the
// nominal trajectory was at sample j - τ_d. The delays are those under which the samples near the
// centre fit together best (named/self_consistency.h), found by variable projection:
//   min over τ, x of ||A(τ) x - s||²,  A_jp = e^{-2πi k(j - τ)·r_p}
// For spokes this is the model of RING (S. Rosenzweig et al., MRM 81:1898, 2019), there without
// cross terms and for crossings of pairs in a plane; here for any trajectory, in the plane and in
// space.
#pragma once

#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/scan/read/named/self_consistency.h"

namespace spokelab {

enum class DelayModel { axes, common };  // a delay for each axis, or one for all

struct DelayFit {
  Vec3 delays{0, 0, 0};  // samples
  // Disagreement of the samples near the centre without and with the delays: the root of the
  // residual's energy over the energy that differs between shots. 1: the model explains nothing.
  double before = 1, after = 1;
  std::int64_t used = 0;  // samples; 0: too few, nothing is known
};

// Points of a trajectory [shot, sample, dims] with all shots of one length, `delays` samples late:
// cubic between samples, straight on beyond the ends.
std::vector<double> delayedPoints(const std::vector<double>& points, std::int64_t shots, std::int64_t samples,
                                  int dims, const Vec3& delays);

// `points` in cycles/FOV. Throws Cancelled.
DelayFit fitDelays(const CentreSamples& samples, const std::vector<double>& points, int dims,
                   DelayModel model, const Progress& progress);

// Further delays of each shot beside those already in `points`, in samples, one number for all axes
// (adaptive correction). One linear step with the image held, as a shot alone has too few samples
// to fit an image as well.
std::vector<double> fitShotDelays(const CentreSamples& samples, const std::vector<double>& points, int dims,
                                  const Progress& progress);

}  // namespace spokelab
