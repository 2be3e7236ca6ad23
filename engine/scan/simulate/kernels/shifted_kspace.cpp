#include "engine/scan/simulate/kernels/shifted_kspace.h"

#include <math.h>  // j1 is POSIX, not standard C++

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/scan/simulate/kernels/sines.h"

namespace spokelab {
namespace {

constexpr double pi = std::numbers::pi;
constexpr std::size_t block = 64;  // shifts whose values are kept in cache at a time

// Transform of the unit disc, J1(2 pi q) / q; pi at q = 0.
double discTransform(double q) {
  constexpr double tiny = 1e-8;  // J1(x)/x is 1/2 to the last bit below this
  return q < tiny ? pi : ::j1(2 * pi * q) / q;
}

// Transform of the unit ball, 4 pi (sin x - x cos x) / x^3 with x = 2 pi q; 4 pi / 3 at q = 0.
// Its Taylor series replaces it where the difference would cancel.
void ballTransforms(double* q, std::size_t count) {
  constexpr double seriesBelow = 0.5;
  double sines[block], cosines[block];
  sinesAndCosines(q, sines, cosines, count);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = 2 * pi * q[i], s = x * x;
    const double series = 1.0 / 3 - s * (1.0 / 30 - s * (1.0 / 840 - s * (1.0 / 45360 - s / 3991680)));
    const double closed = (sines[i] - x * cosines[i]) / (s * x);
    q[i] = 4 * pi * (x < seriesBelow ? series : closed);
  }
}

double dot(const Vec3& a, const Vec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

Vec3 ShiftedKspace::Shape::along(const Vec3& k) const {
  return {axes[0] * (cosine * k[0] + sine * k[1]), axes[1] * (cosine * k[1] - sine * k[0]), axes[2] * k[2]};
}

void ShiftedKspace::Shape::boxTransform(const Vec3& at, std::size_t first, std::size_t count,
                                        double* values) const {
  constexpr double tiny = 1e-8;
  double k[block], sines[block], cosines[block];
  std::fill_n(values, count, 1.0);
  for (std::size_t d = 0; d < 3; ++d) {
    for (std::size_t i = 0; i < count; ++i) k[i] = at[d] - shifts[d][first + i];
    sinesAndCosines(k, sines, cosines, count);
    for (std::size_t i = 0; i < count; ++i)
      values[i] *= std::abs(k[i]) < tiny ? 1.0 : sines[i] / (2 * pi * k[i]);
  }
}

void ShiftedKspace::Shape::transform(const Vec3& at, int dims, std::size_t first, std::size_t count,
                                     double* values) const {
  if (box) return boxTransform(at, first, count, values);
  for (std::size_t i = 0; i < count; ++i) {
    const double u = at[0] - shifts[0][first + i], v = at[1] - shifts[1][first + i],
                 w = at[2] - shifts[2][first + i];
    values[i] = std::sqrt(u * u + v * v + w * w);
  }
  if (dims == 3) return ballTransforms(values, count);
  for (std::size_t i = 0; i < count; ++i) values[i] = discTransform(values[i]);
}

ShiftedKspace::ShiftedKspace(const Phantom& phantom, const std::vector<Vec3>& shifts)
    : dims_(phantom.dims), shifts_(shifts.size()) {
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
    for (const Vec3& f : shifts) {
      const Vec3 flat{f[0], f[1], dims_ == 3 ? f[2] : 0}, along = shape.along(flat);
      for (std::size_t d = 0; d < 3; ++d) shape.shifts[d].push_back(along[d]);
      const cdouble factor = e.value * volume * std::polar(1.0, 2 * pi * dot(flat, e.centre));
      shape.real.push_back(factor.real());
      shape.imaginary.push_back(factor.imag());
    }
    shapes_.push_back(std::move(shape));
  }
}

void ShiftedKspace::evaluate(const double* k, cdouble* out) const {
  const Vec3 point{k[0], k[1], dims_ == 3 ? k[2] : 0};
  std::fill_n(out, shifts_, cdouble(0));
  double values[block];
  for (const Shape& shape : shapes_) {
    const cdouble phase = phaseOfTurns(-dot(point, shape.centre));
    const Vec3 at = shape.along(point);
    for (std::size_t first = 0; first < shifts_; first += block) {
      const std::size_t count = std::min(block, shifts_ - first);
      shape.transform(at, dims_, first, count, values);
      for (std::size_t i = 0; i < count; ++i)
        out[first + i] +=
            values[i] * product(phase, cdouble(shape.real[first + i], shape.imaginary[first + i]));
    }
  }
}

}  // namespace spokelab
