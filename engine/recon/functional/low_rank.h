// R(x) = sqrt(n) |X|_*, X the matrix of frames [pixel, frame], n the larger number of pixels and
// frames: what all frames share (Liang 2007; Lingala et al. 2011). sqrt(n) makes one lambda serve
// any matrix, as noise has singular values of about sqrt(n). The map is the processor's work: on a
// device the frames are copied to host memory and back.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "engine/recon/functional/low_rank_sparse.h"

namespace spokelab {

template <VectorSpace Space>
class LowRank {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;

  LowRank(Space& space, std::int64_t frames, std::int64_t pixels, int threads)
      : space_(space),
        frames_(frames),
        pixels_(pixels),
        weight_(std::sqrt(double(std::max(frames, pixels)))),
        threads_(threads) {}

  std::int64_t unknowns() const { return frames_ * pixels_; }

  // frames [frame, pixel] = argmin_x 1/2 |x - frames|^2 + threshold R(x), in place; returns its R.
  double prox(double threshold, Complex* frames) {
    if constexpr (std::is_same_v<Space, HostSpace<Real>>) {
      return onHost(threshold, frames);
    } else {
      host_.resize(std::size_t(unknowns()));
      space_.download(frames, host_.data(), unknowns());
      const double value = onHost(threshold, host_.data());
      space_.upload(host_.data(), frames, unknowns());
      return value;
    }
  }

 private:
  double onHost(double threshold, Complex* frames) const {
    return weight_ * shrinkSingularValues(weight_ * threshold, frames_, pixels_, threads_, frames);
  }

  Space& space_;
  std::int64_t frames_, pixels_;
  double weight_;
  int threads_;
  Buffer<Complex> host_;
};

}  // namespace spokelab
