// R(x) = a sum_t |x_{t+1} - x_t| + b sum_t TV(x_t) of frames [frame, set, pixel]: few jumps in time
// inside each train and between neighbouring pixels (TV isotropic, of each image by itself). prox
// by its dual,
//   x = u - D^H z - G^H w,   |z| <= threshold a,   |w| <= threshold b (lengths over the axes)
// D the differences in time, G those between pixels: projected gradient steps of length 1 / |D D^H
// + G G^H| with Nesterov's momentum (Beck, Teboulle 2009), which starts anew where it points uphill
// (O'Donoghue, Candes 2015). The dual is kept, as the next map's is close to it.
#pragma once

#include <cmath>
#include <utility>

#include "engine/recon/functional/frame_trains.h"
#include "engine/recon/functional/image_differences.h"

namespace spokelab {

template <VectorSpace Space>
class JointVariation {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;
  using Vector = typename Space::Vector;

  struct Weights {
    double time = 1, space = 1;
  };

  JointVariation(Space& space, const Index3& matrix, int dims, FrameTrains trains, std::int64_t sets,
                 Weights weights, int maxSteps = 60)
      : space_(space),
        trains_(std::move(trains)),
        pixels_(product(matrix)),
        frameUnknowns_(sets * pixels_),
        unknowns_(trains_.frames() * frameUnknowns_),
        jumps_(weights.time > 0 ? trains_.jumps() * frameUnknowns_ : 0),
        weights_(weights),
        maxSteps_(maxSteps),
        neighbours_(space, matrix, dims, int(trains_.frames() * sets)),
        length_(1 / (4.0 * dims + (jumps_ > 0 ? 4 : 0))),
        room_(space.make(unknowns_)),
        time_(space, jumps_),
        place_(space, neighbours_.count()) {}

  std::int64_t unknowns() const { return unknowns_; }

  // frames = argmin_x 1/2 |x - frames|^2 + threshold R(x), in place; returns R of the result, which
  // is Re <x, u - x> / threshold, as R(2 x) = 2 R(x).
  double prox(double threshold, Complex* frames) {
    if (!(threshold > 0)) return 0;
    const double bound = threshold * std::hypot(weights_.time, weights_.space);
    time_.begin(space_);
    place_.begin(space_);
    double momentum = 1;
    for (int step = 0; step < maxSteps_; ++step) {
      primal(frames, time_.ahead.data(), place_.ahead.data(), room_.data());
      Change change;
      if (jumps_ > 0) {
        trains_.each([&](std::int64_t frame, std::int64_t jump, std::int64_t length) {
          const std::int64_t count = (length - 1) * frameUnknowns_;
          const Complex* const first = room_.data() + frame * frameUnknowns_;
          space_.copy(first + frameUnknowns_, time_.room.data() + jump * frameUnknowns_, count);
          space_.axpy(Real(-1), first, time_.room.data() + jump * frameUnknowns_, count);
        });
        change = moved(time_, threshold * weights_.time,
                       [&](double most, Complex* values) { space_.shrink(Real(most), values, jumps_, 1); });
      }
      neighbours_.apply(room_.data(), place_.room.data());
      const Change inPlace = moved(place_, threshold * weights_.space,
                                   [&](double most, Complex* values) { neighbours_.shrink(most, values); });
      change.uphill += inPlace.uphill;
      change.square += inPlace.square;
      if (change.uphill > 0) momentum = 1;
      const double after = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2, share = (momentum - 1) / after;
      momentum = after;
      time_.leap(space_, share);
      place_.leap(space_, share);
      if (std::sqrt(change.square / double(time_.count + place_.count)) < minStep * bound) break;
    }
    primal(frames, time_.now.data(), place_.now.data(), room_.data());
    space_.axpy(Real(-1), room_.data(), frames, unknowns_);
    const double value = space_.dot(room_.data(), frames, unknowns_) / threshold;
    space_.copy(room_.data(), frames, unknowns_);
    return value;
  }

 private:
  // Root mean square of a step, over the bound, where the map is done.
  static constexpr double minStep = 3e-5;

  struct Change {
    double uphill = 0, square = 0;
  };

  // One dual variable: its value, the point ahead of it, the last step, and room.
  struct Dual {
    std::int64_t count;
    Vector now, ahead, step, room;

    Dual(Space& space, std::int64_t count_)
        : count(count_),
          now(space.make(count)),
          ahead(space.make(count)),
          step(space.make(count)),
          room(space.make(count)) {
      if (count > 0) space.zero(now.data(), count);
    }
    void begin(Space& space) {
      if (count > 0) space.copy(now.data(), ahead.data(), count);
    }
    void leap(Space& space, double share) {
      if (count == 0) return;
      space.axpy(Real(1), step.data(), now.data(), count);
      space.copy(now.data(), ahead.data(), count);
      space.axpy(Real(share), step.data(), ahead.data(), count);
    }
  };

  // out = u - D^H z - G^H w
  void primal(const Complex* u, const Complex* z, const Complex* w, Complex* out) {
    space_.copy(u, out, unknowns_);
    if (jumps_ > 0)
      trains_.each([&](std::int64_t frame, std::int64_t jump, std::int64_t length) {
        const std::int64_t count = (length - 1) * frameUnknowns_;
        space_.axpy(Real(1), z + jump * frameUnknowns_, out + frame * frameUnknowns_, count);
        space_.axpy(Real(-1), z + jump * frameUnknowns_, out + (frame + 1) * frameUnknowns_, count);
      });
    neighbours_.addAdjoint(-1, w, out);
  }

  // room holds the gradient, and then the length that the bound cuts off; step: from `now` to the
  // projection.
  template <class Shrink>
  Change moved(Dual& dual, double bound, const Shrink& shrink) {
    const std::int64_t n = dual.count;
    space_.copy(dual.ahead.data(), dual.step.data(), n);
    space_.axpy(Real(length_), dual.room.data(), dual.step.data(), n);
    space_.copy(dual.step.data(), dual.room.data(), n);
    shrink(bound, dual.room.data());
    space_.axpy(Real(-1), dual.room.data(), dual.step.data(), n);  // the projection
    space_.axpy(Real(-1), dual.step.data(), dual.ahead.data(), n);
    space_.axpy(Real(-1), dual.now.data(), dual.step.data(), n);
    return {space_.dot(dual.ahead.data(), dual.step.data(), n),
            space_.dot(dual.step.data(), dual.step.data(), n)};
  }

  Space& space_;
  FrameTrains trains_;
  std::int64_t pixels_, frameUnknowns_, unknowns_, jumps_;
  Weights weights_;
  int maxSteps_;
  ImageDifferences<Space> neighbours_;
  double length_;  // of a step
  Vector room_;
  Dual time_, place_;
};

}  // namespace spokelab
