// Type 3 transforms, from non-uniform points to non-uniform points, on the CPU, for the equations
// of type3_transform.h: an image given as points with values, or x in mm and k in cycles per mm.
// Along each axis, C is the middle and X the half extent of the sources; D is the middle and S the
// half extent of the targets.
//   1. Spread values times e^{sign 2 pi i D . (x - C)} on a grid of spacing 1 / (2 alpha S) that
//      covers the sources with 4 alpha X S + W cells an axis.
//   2. Apply a type 2 transform to this grid as image, at the points (s - D) / (2 alpha S).
//   3. Divide the results by the kernel's transform there, and multiply by e^{sign 2 pi i s . C}.
// Source: [finufft] section 3.3. The two kernels share the requested accuracy: the first must hold
// it at the worst target, and step 3 amplifies the error of the second.
#pragma once

#include "engine/nufft/type3/type3_transform.h"

namespace spokelab {

template <class Real>
class Type3 final : public Type3Transform<Real> {
 public:
  using Complex = std::complex<Real>;

  // Options as in Backend::type3 (recon/sense/backend.h).
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
