// The phantom's closed-form k-space at k - f for several shifts f at once, as coils made of complex
// exponentials need it. Ellipse: |A| J1(2 pi q) / (pi q), ellipsoid: 3 |V| (sin x - x cos x) / x^3
// with x = 2 pi q, where q is |k| in the units of the semi-axes; box: product of 2 a sinc(2 a k)
// over its axes a; times e^{-2 pi i k . c} for a centre c.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "engine/scan/simulate/phantom.h"

namespace spokelab {

class ShiftedKspace {
 public:
  // The phantom's own coils are not used.
  ShiftedKspace(const Phantom& phantom, const std::vector<Vec3>& shifts);

  // out[f] = F(k - shifts[f]), k with the phantom's dimensions, cycles/FOV.
  void evaluate(const double* k, cdouble* out) const;

 private:
  struct Shape {
    Vec3 centre{}, axes{};
    double cosine = 1, sine = 0;
    bool box = false;
    std::array<std::vector<double>, 3> shifts;  // [axis][shift], in units of the semi-axes
    std::vector<double> real, imaginary;        // [shift]: value, area (volume) and phase of the shift

    // k along the shape's axes, in units of the semi-axes.
    Vec3 along(const Vec3& k) const;
    // The transform at k = at - shift, for `count` shifts from `first` on.
    void transform(const Vec3& at, int dims, std::size_t first, std::size_t count, double* values) const;
    void boxTransform(const Vec3& at, std::size_t first, std::size_t count, double* values) const;
  };

  int dims_;
  std::size_t shifts_;
  std::vector<Shape> shapes_;
};

}  // namespace spokelab
