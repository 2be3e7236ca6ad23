// R(x) = sum over pixels and trains of sum_t |x_{t+1} - x_t|: the total variation along time of
// frames [frame, pixel], which GRASP takes (Feng et al. 2014). prox: jump_prox.h; its dual is kept,
// as the next map's is close to it.
#pragma once

#include <utility>

#include "engine/recon/functional/frame_trains.h"
#include "engine/recon/functional/jump_prox.h"

namespace spokelab {

template <VectorSpace Space>
class TemporalVariation {
 public:
  using Complex = typename Space::Complex;

  TemporalVariation(Space& space, FrameTrains trains, std::int64_t pixels, int maxSteps = 60)
      : space_(space),
        trains_(std::move(trains)),
        pixels_(pixels),
        maxSteps_(maxSteps),
        dual_(space.make(trains_.jumps() * pixels)),
        room_(space.make(2 * (trains_.longest() - 1) * pixels)),
        roots_(space.make(pixels)) {
    space.zero(dual_.data(), trains_.jumps() * pixels);
  }

  std::int64_t unknowns() const { return trains_.frames() * pixels_; }

  // frames = argmin_x 1/2 |x - frames|^2 + threshold R(x), in place; returns R of the result.
  double prox(double threshold, Complex* frames) {
    double value = 0;
    trains_.each([&](std::int64_t frame, std::int64_t jump, std::int64_t length) {
      jumpProx(space_, {threshold, length, pixels_, maxSteps_}, frames + frame * pixels_,
               dual_.data() + jump * pixels_, room_.data(), roots_.data());
      value += space_.dot(roots_.data(), roots_.data(), pixels_);
    });
    return value;
  }

 private:
  Space& space_;
  FrameTrains trains_;
  std::int64_t pixels_;
  int maxSteps_;
  typename Space::Vector dual_, room_, roots_;
};

}  // namespace spokelab
