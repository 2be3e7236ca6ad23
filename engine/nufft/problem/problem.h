// The problem of a transform: everything about it that CPU and GPU share.
#pragma once

#include <cstdint>

#include "engine/core/array.h"

namespace spokelab {

enum class Precision { single, double64 };

// The error that an accuracy bounds: relative l2, over all pixels and places of points, or the
// worst pixel's error ([gnufftw] eq. 8, the maximum aliasing amplitude), which is several times
// larger.
enum class ErrorMeasure { relativeL2, worstPixel };

//   forward (type 2): s_j = sum_n f_n e^{sign 2 pi i n . k_j}
//   adjoint (type 1): its conjugate transpose, unscaled
// with n_d = -floor(N_d/2) ... ceil(N_d/2) - 1, and k in cycles per pixel, |k_d| <= 1/2 (folded
// periodically beyond). Images are x fastest, batch outermost; points are interleaved
// (kx, ky[, kz]), always double.
struct NufftProblem {
  int dims = 2;          // 1, 2, 3
  Index3 size{1, 1, 1};  // image size (x, y, z); 1 beyond dims
  Precision precision = Precision::single;
  int sign = -1;  // of the forward exponent
  // Images (coils, frames) per execution: [batch, z, y, x] and [batch, sample]
  std::int64_t batch = 1;
  ErrorMeasure measure = ErrorMeasure::relativeL2;  // of the accuracy that is asked for
  // Sets of points that are set together (plan_points.h): the rest describes one of them. 0: one
  // set alone.
  std::int64_t sets = 0;

  std::int64_t pixels() const { return product(size); }
};

}  // namespace spokelab
