// R(x) = sum over pixels of sum_t |x_{t+1} - x_t|: the total variation along time of frames [frame,
// pixel], which GRASP takes (Feng et al. 2014). prox: jump_prox.h; its dual is kept, as the next
// map's is close to it.
#pragma once

#include "engine/recon/functional/jump_prox.h"

namespace spokelab {

template <VectorSpace Space>
class TemporalVariation {
 public:
  using Complex = typename Space::Complex;

  TemporalVariation(Space& space, std::int64_t frames, std::int64_t pixels, int maxSteps = 60)
      : space_(space),
        frames_(frames),
        pixels_(pixels),
        maxSteps_(maxSteps),
        dual_(space.make((frames - 1) * pixels)),
        room_(space.make(2 * (frames - 1) * pixels)),
        roots_(space.make(pixels)) {
    space.zero(dual_.data(), (frames - 1) * pixels);
  }

  std::int64_t unknowns() const { return frames_ * pixels_; }

  // frames = argmin_x 1/2 |x - frames|^2 + threshold R(x), in place; returns R of the result.
  double prox(double threshold, Complex* frames) {
    jumpProx(space_, {threshold, frames_, pixels_, maxSteps_}, frames, dual_.data(), room_.data(),
             roots_.data());
    return space_.dot(roots_.data(), roots_.data(), pixels_);
  }

 private:
  Space& space_;
  std::int64_t frames_, pixels_;
  int maxSteps_;
  typename Space::Vector dual_, room_, roots_;
};

}  // namespace spokelab
