// Iterated density weights of any trajectory, on any backend's plans.
#pragma once

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The overlap of a ball in `dims` dimensions with itself, moved by rho diameters, over its volume.
constexpr double ballOverlap(double rho, int dims) {
  if (rho >= 1) return 0;
  if (dims == 1) return 1 - rho;
  if (dims == 2) return 2 / std::numbers::pi * (std::acos(rho) - rho * std::sqrt(1 - rho * rho));
  return 1 - 1.5 * rho + 0.5 * rho * rho * rho;
}

inline constexpr double minRelativeDensity = 1e-6;  // C w of a sample in the void, relative to the largest

// The iteration of pipeMenonWeights() for a backend: it starts from ones, and no sample is left
// out.
struct PipeMenonProblem {
  NufftProblem nufft;              // the image on which t acts
  NufftOptions options;            // of its plan
  std::span<const double> points;  // [sample, dims] cycles per pixel
  Index3 half{1, 1, 1};            // t is 0 from this distance on, in pixels
  double scale = 1;                // of t: N^{-d}
  int iterations = 0;
};

// Pipe and Menon (MRM 41:179, 1999): w <- w / (C w), where C convolves with a kernel that is not
// negative and whose transform vanishes outside twice the field of view, so that the point spread
// function is right over the ball (ellipsoid) that fits into the image:
//   C w (k_i) = N^{-d} sum_n t(n) e^{-2 pi i n . k_i} sum_j w_j e^{+2 pi i n . k_j},
// t(n): overlap of that ball with itself moved by n, over its volume (1 at n = 0, 0 from |n| = N
// on). For large images t is 0 from |n| = N / 2 on, and the function is right over half the field
// of view. Samples with `mask` 0 (empty: none) are left out and get weight 0. Converges to k-space
// areas in (cycles/FOV)^d; a sample alone in its cell gets the area of the ball's cell.
Buffer<double> pipeMenonWeights(const Trajectory& trajectory, const Index3& matrix, int iterations,
                                const NufftOptions& options, const std::vector<char>& mask,
                                NufftBackend& backend, const Progress& progress);

}  // namespace spokelab
