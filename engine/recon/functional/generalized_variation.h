// R(x) = min over v of |D x - v|_1 + 2 |E v|_1: total generalized variation of second order
// (Bredies, Kunisch, Pock 2010; weights of Knoll et al. 2011), lengths taken over the components of
// a pixel. D: differences of neighbours; E v: the symmetric part of the differences of v. Ramps
// cost little, so that no steps show, as with total variation.
// prox: minimize 1/2 |x - u|^2 + t |D x - v|_1 + 2 t |E v|_1 by primal-dual steps (Chambolle, Pock
// 2011), whose v and dual variables are kept, as the next map's are close to them:
//   p = P_t(p + s (D x' - v')),   q = P_2t(q + s E v'),   P_r the projection to lengths <= r
//   x = (x - s D^H p + s u) / (1 + s),   v = v + s (p - E^H q),   x' = 2 x - x_before, v' likewise
#pragma once

#include <cmath>
#include <concepts>
#include <vector>

#include "engine/recon/functional/variation_steps.h"
#include "engine/recon/operators/vector_space.h"

namespace spokelab {

// Steps of a map, enough for the dual to follow the iterations
// (resources/developer/measurements/recipes.md).
inline constexpr int variationSteps = 60;

template <VectorSpace Space>
class GeneralizedVariation {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;
  using Vector = typename Space::Vector;

  // The images are [set, pixel]; each one is transformed by itself.
  GeneralizedVariation(Space& space, const Index3& size, int dims, std::int64_t sets,
                       int steps = variationSteps)
      : space_(space), size_(size), dims_(dims), pixels_(product(size)), sets_(sets), steps_(steps) {
    const double square = 4 * dims;  // of the norm of D, and of E
    step_ = 1 / std::sqrt(square + 0.5 + std::sqrt(0.25 + square));
    u_ = space.make(pixels_);
    ahead_ = space.make(pixels_);
    vAhead_ = space.make(dims * pixels_);
    slopes_ = space.make(dims * pixels_);
    shrunk_ = space.make(pairs() * pixels_);
    for (std::int64_t s = 0; s < sets; ++s) {
      states_.push_back({zeros(dims), zeros(dims), zeros(pairs())});
    }
  }

  std::int64_t unknowns() const { return sets_ * pixels_; }

  // images = argmin_x 1/2 |x - images|^2 + threshold R(x), in place, to the accuracy of the steps;
  // returns R of the result, which is Re <x, u - x> / threshold, as R(2 x) = 2 R(x).
  double prox(double threshold, Complex* images) {
    if (!(threshold > 0)) return 0;
    double value = 0;
    for (std::int64_t s = 0; s < sets_; ++s)
      value += proxOf(threshold, images + s * pixels_, states_[std::size_t(s)]);
    return value;
  }

 private:
  static constexpr bool stepsOnHost = std::derived_from<Space, HostSpace<Real>>;

  struct State {
    Vector v, p, q;  // [axis, pixel]; [axis, pixel]; [pair of axes, pixel], of different axes times sqrt(2)
  };

  std::int64_t pairs() const { return dims_ * (dims_ + 1) / 2; }
  // The place of a pair of axes among the components of q: pairs of equal axes come first.
  std::int64_t place(int a, int b) const { return a == b ? a : dims_ + a + b - 1; }
  static double factor(int a, int b) { return a == b ? 1 : std::sqrt(0.5); }

  Vector zeros(std::int64_t components) {
    Vector made = space_.make(components * pixels_);
    space_.zero(made.data(), components * pixels_);
    return made;
  }

  double proxOf(double threshold, Complex* x, State& state) {
    space_.copy(x, u_.data(), pixels_);
    space_.copy(x, ahead_.data(), pixels_);
    space_.copy(state.v.data(), vAhead_.data(), dims_ * pixels_);
    for (int step = 0; step < steps_; ++step) {
      if constexpr (stepsOnHost) {
        const VariationStep half{size_, dims_, step_, threshold};
        variationAscent(space_, half, ahead_.data(), vAhead_.data(), state.p.data(), state.q.data());
        variationDescent(space_, half, u_.data(), state.p.data(), state.q.data(), x, ahead_.data(),
                         state.v.data(), vAhead_.data());
      } else {
        ascend(threshold, state);
        descend(x, state);
      }
    }
    space_.axpy(Real(-1), x, u_.data(), pixels_);
    return space_.dot(x, u_.data(), pixels_) / threshold;
  }

  void ascend(double threshold, State& state) {
    Complex* const q = state.q.data();
    space_.differences(ahead_.data(), slopes_.data(), size_, dims_);
    space_.axpy(Real(-1), vAhead_.data(), slopes_.data(), dims_ * pixels_);
    space_.axpy(Real(step_), slopes_.data(), state.p.data(), dims_ * pixels_);
    project(threshold, state.p.data(), dims_);
    for (int a = 0; a < dims_; ++a) {
      space_.differences(vAhead_.data() + a * pixels_, slopes_.data(), size_, dims_);
      for (int b = 0; b < dims_; ++b)
        space_.axpy(Real(step_ * factor(a, b)), slopes_.data() + b * pixels_, q + place(a, b) * pixels_,
                    pixels_);
    }
    project(2 * threshold, q, int(pairs()));
  }

  // v and x, and both ahead.
  void descend(Complex* x, State& state) {
    space_.scaledCopy(Real(-1), x, ahead_.data(), pixels_);
    space_.addDifferencesAdjoint(Real(-step_), state.p.data(), x, size_, dims_);
    space_.axpy(Real(step_), u_.data(), x, pixels_);
    space_.scaledCopy(Real(1 / (1 + step_)), x, x, pixels_);
    space_.axpy(Real(2), x, ahead_.data(), pixels_);
    space_.scaledCopy(Real(-1), state.v.data(), vAhead_.data(), dims_ * pixels_);
    space_.axpy(Real(step_), state.p.data(), state.v.data(), dims_ * pixels_);
    for (int a = 0; a < dims_; ++a) {
      for (int b = 0; b < dims_; ++b)
        space_.scaledCopy(Real(factor(a, b)), state.q.data() + place(a, b) * pixels_,
                          slopes_.data() + b * pixels_, pixels_);
      space_.addDifferencesAdjoint(Real(-step_), slopes_.data(), state.v.data() + a * pixels_, size_, dims_);
    }
    space_.axpy(Real(2), state.v.data(), vAhead_.data(), dims_ * pixels_);
  }

  // Lengths over the components are cut to `maxLength`.
  void project(double maxLength, Complex* values, int components) {
    space_.copy(values, shrunk_.data(), components * pixels_);
    space_.shrink(Real(maxLength), shrunk_.data(), pixels_, components);
    space_.axpy(Real(-1), shrunk_.data(), values, components * pixels_);
  }

  Space& space_;
  Index3 size_;
  int dims_;
  std::int64_t pixels_, sets_;
  int steps_;
  double step_;
  Vector u_, ahead_, vAhead_, slopes_, shrunk_;
  std::vector<State> states_;
};

}  // namespace spokelab
