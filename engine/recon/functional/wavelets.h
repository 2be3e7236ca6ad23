// R(x) = |Psi x|_1, Psi an orthogonal wavelet transform of two or three dimensions (wavelet_pass.h)
// over all levels that the image has, also the coarsest. prox: Psi^H S(Psi x), S shrinking each
// coefficient towards 0. With random shifts each map turns the image round by another number of
// pixels along each axis (Coifman, Donoho 1995), so that no edge of the wavelets' lattice shows;
// the functional is then the mean over shifts. Joint: R(x) = sum_i (sum_s |Psi x_s|_i^2)^{1/2}, the
// length of a coefficient over all images, so that all have their wavelets at the same places.
#pragma once

#include <random>
#include <vector>

#include "engine/recon/functional/wavelet_pass.h"

namespace spokelab {

// The passes, from the finest level on.
inline std::vector<WaveletPass> waveletPasses(const Index3& size, int dims, WaveletFamily family) {
  std::vector<WaveletPass> passes;
  Index3 box = size;
  for (bool divided = true; divided;) {
    divided = false;
    Index3 next = box;
    for (int axis = 0; axis < dims; ++axis) {
      const auto a = std::size_t(axis);
      if (box[a] < minWaveletLength(family)) continue;
      passes.push_back({.size = size, .box = box, .axis = axis, .family = family});
      next[a] = (box[a] + 1) / 2;
      divided = true;
    }
    box = next;
  }
  return passes;
}

template <VectorSpace Space>
class Wavelets {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;

  // Transforms images [set, pixel].
  Wavelets(Space& space, const Index3& size, int dims, std::int64_t sets, bool randomShifts,
           bool joint = false, WaveletFamily family = WaveletFamily::daubechies4)
      : space_(space),
        size_(size),
        pixels_(product(size)),
        sets_(sets),
        passes_(waveletPasses(size, dims, family)),
        randomShifts_(randomShifts),
        together_(joint ? sets : 1),
        room_(space.make(together_ * pixels_)) {}

  std::int64_t unknowns() const { return sets_ * pixels_; }
  void forward(Complex* image) {
    for (const WaveletPass& pass : passes_) apply(pass, image, false);
  }
  void adjoint(Complex* image) {
    for (auto pass = passes_.rbegin(); pass != passes_.rend(); ++pass) apply(*pass, image, true);
  }

  // images = argmin_x 1/2 |x - images|^2 + threshold R(x), in place; returns R of the result.
  double prox(double threshold, Complex* images) {
    if (!(threshold > 0)) return 0;
    if (randomShifts_)
      for (std::size_t d = 0; d < shift_.size(); ++d)
        shift_[d] = std::int64_t(random_() % std::uint64_t(size_[d]));
    double value = 0;
    const std::int64_t count = together_ * pixels_;
    for (std::int64_t s = 0; s < sets_; s += together_) {
      Complex* const first = images + s * pixels_;
      for (std::int64_t i = 0; i < together_; ++i) forward(first + i * pixels_);
      space_.copy(first, room_.data(), count);
      space_.shrink(Real(threshold), first, pixels_, int(together_));
      // A coefficient that is left has lost the threshold of its length:
      // <left, before - left> = threshold |left|_1.
      value += (space_.dot(first, room_.data(), count) - space_.dot(first, first, count)) / threshold;
      for (std::int64_t i = 0; i < together_; ++i) adjoint(first + i * pixels_);
    }
    return value;
  }

 private:
  // Only the finest level is shifted: coarser levels take the coefficients of the shifted image.
  void apply(WaveletPass pass, Complex* image, bool inverse) {
    const auto axis = std::size_t(pass.axis);
    pass.inverse = inverse;
    if (pass.box[axis] == size_[axis]) pass.shift = shift_[axis];
    waveletPass(space_, pass, image, room_.data());
  }

  Space& space_;
  Index3 size_;
  std::int64_t pixels_, sets_;
  std::vector<WaveletPass> passes_;
  bool randomShifts_;
  std::int64_t together_;   // images whose coefficients are shrunk in their length
  std::mt19937_64 random_;  // its default seed: a result can be repeated
  Index3 shift_{0, 0, 0};
  typename Space::Vector room_;
};

}  // namespace spokelab
