// Differences between neighbouring pixels of one image or of several, [set, pixel], each by itself:
// [set, axis, pixel].
#pragma once

#include "engine/recon/operators/vector_space.h"

namespace spokelab {

template <VectorSpace Space>
class ImageDifferences {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;

  ImageDifferences(Space& space, const Index3& matrix, int dims, int sets)
      : space_(space), matrix_(matrix), dims_(dims), sets_(sets), pixels_(product(matrix)) {}

  std::int64_t count() const { return sets_ * dims_ * pixels_; }

  void apply(const Complex* images, Complex* out) {
    for (std::int64_t s = 0; s < sets_; ++s)
      space_.differences(images + s * pixels_, out + s * dims_ * pixels_, matrix_, dims_);
  }
  // images += factor * (the adjoint of apply)(in)
  void addAdjoint(double factor, const Complex* in, Complex* images) {
    for (std::int64_t s = 0; s < sets_; ++s)
      space_.addDifferencesAdjoint(Real(factor), in + s * dims_ * pixels_, images + s * pixels_, matrix_,
                                   dims_);
  }
  // out += factor * (the adjoint of apply)(apply(in))
  void addNormal(double factor, const Complex* in, Complex* out) {
    if (room_.size() == 0) room_ = space_.make(count());
    apply(in, room_.data());
    addAdjoint(factor, room_.data(), out);
  }
  // Shrinks the length of each pixel's differences over the axes.
  void shrink(double threshold, Complex* values) {
    for (std::int64_t s = 0; s < sets_; ++s)
      space_.shrink(Real(threshold), values + s * dims_ * pixels_, pixels_, dims_);
  }

 private:
  Space& space_;
  Index3 matrix_;
  int dims_;
  std::int64_t sets_, pixels_;
  typename Space::Vector room_;  // of addNormal
};

}  // namespace spokelab
