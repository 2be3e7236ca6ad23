// Transforms from non-uniform points to non-uniform points (type 3), on the CPU; the equations stand in
// type3_transform.h. An image given as points with values is one use; x in mm and k in cycles per mm
// another. With C and X the middle and half the extent of the sources, D and S those of the targets, an
// axis:
//   1. values times e^{sign 2 pi i D . (x - C)} are spread on to a grid of spacing 1 / (2 alpha S) that
//      covers the sources, 4 alpha X S + W cells an axis;
//   2. that grid is the image of a transform of type 2, at the points (s - D) / (2 alpha S);
//   3. its values are divided by the kernel's transform there, and turned by e^{sign 2 pi i s . C}.
// Source: [finufft] section 3.3. The accuracy asked for is shared between the two kernels: the first
// has to hold it at the worst target, and step 3 amplifies the error of the second.
#pragma once

#include "engine/nufft/type3/type3_transform.h"

namespace spokelab {

template <class Real>
class Type3 final : public Type3Transform<Real> {
 public:
  using Complex = std::complex<Real>;

  // Options as in Type3Backend.
  Type3(const Type3Problem& problem, const NufftOptions& options);
  ~Type3() override;

  void setPoints(std::span<const double> sources, std::span<const double> targets) override;
  const Type3Problem& problem() const override;
  const Type3Info& info() const override;
  std::int64_t sources() const override;
  std::int64_t targets() const override;
  void forward(const Complex* sourceValues, Complex* targetValues, const Execution& = {}) override;
  void adjoint(const Complex* targetValues, Complex* sourceValues, const Execution& = {}) override;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

extern template class Type3<float>;
extern template class Type3<double>;

}  // namespace spokelab
