#include "engine/scan/simulate/shifted_kspace.h"

#include <math.h>  // j1 is POSIX, not standard C++

#include <algorithm>
#include <cmath>
#include <numbers>

namespace spokelab {
namespace {

constexpr double pi = std::numbers::pi;

// Transform of the unit disc, J1(2 pi q) / q; pi at q = 0.
double discTransform(double q) {
  constexpr double tiny = 1e-8;  // J1(x)/x is 1/2 to the last bit below this
  return q < tiny ? pi : ::j1(2 * pi * q) / q;
}

// Transform of the unit ball, 4 pi (sin x - x cos x) / x^3 with x = 2 pi q; 4 pi / 3 at q = 0.
// Its Taylor series replaces it where the difference would cancel.
double ballTransform(double q) {
  const double x = 2 * pi * q;
  constexpr double seriesBelow = 0.5;
  if (x < seriesBelow) {
    const double s = x * x;
    return 4 * pi * (1.0 / 3 - s * (1.0 / 30 - s * (1.0 / 840 - s * (1.0 / 45360 - s / 3991680))));
  }
  return 4 * pi * (std::sin(x) - x * std::cos(x)) / (x * x * x);
}

// sin(pi x) / (pi x)
double sinc(double x) {
  constexpr double tiny = 1e-8;
  return std::abs(x) < tiny ? 1.0 : std::sin(pi * x) / (pi * x);
}

double dot(const Vec3& a, const Vec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

ShiftedKspace::ShiftedKspace(const Phantom& phantom, std::vector<Vec3> shifts)
    : dims_(phantom.dims), shifts_(std::move(shifts)) {
  for (const PhantomShape& e : phantom.shapes) {
    Shape shape;
    shape.centre = e.centre;
    shape.axes = e.semiAxes;
    if (dims_ == 2) shape.centre[2] = shape.axes[2] = 0;
    shape.cosine = std::cos(e.angle);
    shape.sine = std::sin(e.angle);
    shape.box = e.kind == ShapeKind::box;
    // Ratio of the box' volume to the product of its half sides.
    const double sides = shape.box ? (dims_ == 3 ? 8 : 4) : 1;
    const double volume = sides * e.semiAxes[0] * e.semiAxes[1] * (dims_ == 3 ? e.semiAxes[2] : 1);
    for (const Vec3& f : shifts_) {
      const Vec3 flat{f[0], f[1], dims_ == 3 ? f[2] : 0};
      shape.factors.push_back(e.value * volume * std::polar(1.0, 2 * pi * dot(flat, e.centre)));
    }
    shapes_.push_back(std::move(shape));
  }
}

void ShiftedKspace::evaluate(const double* k, cdouble* out) const {
  const Vec3 point{k[0], k[1], dims_ == 3 ? k[2] : 0};
  std::fill_n(out, shifts_.size(), cdouble(0));
  for (const Shape& shape : shapes_) {
    const cdouble phase = std::polar(1.0, -2 * pi * dot(point, shape.centre));
    for (std::size_t f = 0; f < shifts_.size(); ++f) {
      const double x = point[0] - shifts_[f][0], y = point[1] - shifts_[f][1], z = point[2] - shifts_[f][2];
      const double u = shape.axes[0] * (shape.cosine * x + shape.sine * y);
      const double v = shape.axes[1] * (shape.cosine * y - shape.sine * x);
      const double w = shape.axes[2] * z;
      double transform = 0;
      if (shape.box) {
        transform = sinc(2 * u) * sinc(2 * v) * sinc(2 * w);
      } else {
        const double q = std::sqrt(u * u + v * v + w * w);
        transform = dims_ == 2 ? discTransform(q) : ballTransform(q);
      }
      out[f] += transform * (phase * shape.factors[f]);
    }
  }
}

}  // namespace spokelab
