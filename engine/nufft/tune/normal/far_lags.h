// The power |q(l)|^2 of q(l) = sum_j w_j e^{2 pi i l . k_j} at the lags that a kernel's aliases bring into a normal
// operator: L in (G - N, G + N) along one dimension, where G is the oversampled grid, and in the others differences of
// two pixels. It is as large as the points are coherent there: sum w^2 for random points, far more where samples lie on
// lines or near a grid.
//
// Along the dimension the lags are those of a 1-D transform of all points; across it some of them, drawn at random.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/nufft/problem/problem.h"

namespace spokelab {

class FarLags {
 public:
  // Power of lags grid + first, grid + first + stride, ... , the mean over the lags across them.
  struct Line {
    std::int64_t first = 0, stride = 1;
    std::vector<double> power;
  };

  // weights: [M], or empty for ones. threads: <= 0 for all.
  FarLags(const NufftProblem& problem, std::span<const double> points, std::span<const double> weights,
          int threads);

  // Kept for the next call with the same grid; with many points, of which some are looked at, for grids near it as well.
  const Line& along(int dim, std::int64_t grid) const;
  double squares() const { return squares_; }  // sum w^2

 private:
  Line lineOf(int dim, std::int64_t grid) const;

  NufftProblem problem_;
  int threads_;
  double squares_ = 0, part_ = 1;         // share of the points that are looked at
  std::vector<double> points_, weights_;  // those points
  mutable std::map<std::pair<std::int64_t, std::int64_t>, Line> lines_;
};

}  // namespace spokelab
