#include "engine/scan/simulate/shifted_kspace.h"

#include <math.h>  // j1 is POSIX, not standard C++

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"

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

// Into the axes of a shape turned by `angle` about z.
Vec3 intoShape(const PhantomShape& e, const Vec3& v) {
  if (e.angle == 0) return v;
  const double c = std::cos(e.angle), s = std::sin(e.angle);
  return {c * v[0] + s * v[1], -s * v[0] + c * v[1], v[2]};
}

double dot(const Vec3& a, const Vec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

cdouble coilValue(const CoilMap& coil, const Vec3& r) {
  cdouble sum = 0;
  for (std::size_t i = 0; i < coil.amplitudes.size(); ++i) {
    const Vec3& f = coil.frequencies[i];
    sum += coil.amplitudes[i] * std::polar(1.0, 2 * pi * (f[0] * r[0] + f[1] * r[1] + f[2] * r[2]));
  }
  return sum;
}

const CoilMap* coilOf(const Phantom& phantom, int coil) {
  if (phantom.coils.empty()) {
    if (coil > 0) throw Error("Cannot use the phantom", "it has one coil only", "Ask for coil 0");
    return nullptr;
  }
  if (coil < 0 || coil >= int(phantom.coils.size()))
    throw Error("Cannot use the phantom", "it has no coil " + std::to_string(coil), "");
  return &phantom.coils[std::size_t(coil)];
}

}  // namespace

bool isInside(const PhantomShape& e, int dims, const Vec3& r) {
  const Vec3 u = intoShape(e, {r[0] - e.centre[0], r[1] - e.centre[1], r[2] - e.centre[2]});
  if (e.kind == ShapeKind::box) {
    for (std::size_t i = 0; i < std::size_t(dims); ++i)
      if (std::abs(u[i]) > e.semiAxes[i]) return false;
    return true;
  }
  double sum = 0;
  for (std::size_t i = 0; i < std::size_t(dims); ++i) sum += u[i] * u[i] / (e.semiAxes[i] * e.semiAxes[i]);
  return sum <= 1;
}

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
    const double sides = shape.box ? (dims_ == 3 ? 8 : 4) : 1;  // of the box to the product of its half sides
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

cdouble phantomKspace(const Phantom& phantom, int coil, const double* k) {
  const CoilMap* map = coilOf(phantom, coil);
  const std::vector<Vec3> none = {{0, 0, 0}};
  const ShiftedKspace object(phantom, map ? map->frequencies : none);
  std::vector<cdouble> values(map ? map->frequencies.size() : 1);
  object.evaluate(k, values.data());
  if (!map) return values.front();
  cdouble sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += map->amplitudes[i] * values[i];
  return sum;
}

Image phantomImage(const Phantom& phantom, const Index3& matrix, int coil) {
  const CoilMap* map = coil >= 0 ? coilOf(phantom, coil) : nullptr;
  Image image = nominalImage(matrix, "phantom");
  image.data.resize(std::size_t(product(matrix)));
  const auto position = [&](std::size_t d, std::int64_t n) {
    return double(n - matrix[d] / 2) / double(matrix[d]);
  };
  cfloat* out = image.data.data();
  for (std::int64_t z = 0; z < matrix[2]; ++z)
    for (std::int64_t y = 0; y < matrix[1]; ++y)
      for (std::int64_t x = 0; x < matrix[0]; ++x) {
        const Vec3 r{position(0, x), position(1, y), phantom.dims == 3 ? position(2, z) : 0};
        cdouble sum = 0;
        for (const PhantomShape& e : phantom.shapes)
          if (isInside(e, phantom.dims, r)) sum += e.value;
        *out++ = cfloat(map ? sum * coilValue(*map, r) : sum);
      }
  return image;
}

}  // namespace spokelab
