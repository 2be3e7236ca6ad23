#include "engine/scan/phantom.h"

#include <math.h>  // j1 is POSIX, not standard C++

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

// Into the axes of a shape turned by `angle` about z.
Vec3 intoShape(const Ellipsoid& e, const Vec3& v) {
  if (e.angle == 0) return v;
  const double c = std::cos(e.angle), s = std::sin(e.angle);
  return {c * v[0] + s * v[1], -s * v[0] + c * v[1], v[2]};
}

cdouble shapeKspace(const Ellipsoid& e, int dims, const Vec3& k) {
  const Vec3 u = intoShape(e, k);
  double q2 = 0, volume = 1, phase = 0;
  for (int d = 0; d < dims; ++d) {
    const auto i = std::size_t(d);
    q2 += e.semiAxes[i] * e.semiAxes[i] * u[i] * u[i];
    volume *= e.semiAxes[i];
    phase += k[i] * e.centre[i];
  }
  const double q = std::sqrt(q2);
  const double transform = volume * (dims == 2 ? discTransform(q) : ballTransform(q));
  return e.value * std::polar(1.0, -2 * pi * phase) * transform;
}

bool inside(const Ellipsoid& e, int dims, const Vec3& r) {
  const Vec3 u = intoShape(e, {r[0] - e.centre[0], r[1] - e.centre[1], r[2] - e.centre[2]});
  double sum = 0;
  for (std::size_t i = 0; i < std::size_t(dims); ++i) sum += u[i] * u[i] / (e.semiAxes[i] * e.semiAxes[i]);
  return sum <= 1;
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

cdouble phantomKspace(const Phantom& phantom, int coil, const double* k) {
  const Vec3 point{k[0], k[1], phantom.dims == 3 ? k[2] : 0};
  const auto object = [&](const Vec3& at) {
    cdouble sum = 0;
    for (const Ellipsoid& e : phantom.shapes) sum += shapeKspace(e, phantom.dims, at);
    return sum;
  };
  const CoilMap* map = coilOf(phantom, coil);
  if (!map) return object(point);
  cdouble sum = 0;
  for (std::size_t i = 0; i < map->amplitudes.size(); ++i) {
    const Vec3& f = map->frequencies[i];
    sum += map->amplitudes[i] * object({point[0] - f[0], point[1] - f[1], point[2] - f[2]});
  }
  return sum;
}

Image phantomImage(const Phantom& phantom, const Index3& matrix, int coil) {
  const CoilMap* map = coil >= 0 ? coilOf(phantom, coil) : nullptr;
  Image image;
  image.size = matrix;
  image.geometry.matrix = matrix;
  for (std::size_t d = 0; d < 3; ++d) image.geometry.fov[d] = double(matrix[d]);
  image.geometry.nominal = true;
  image.name = "phantom";
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
        for (const Ellipsoid& e : phantom.shapes)
          if (inside(e, phantom.dims, r)) sum += e.value;
        *out++ = cfloat(map ? sum * coilValue(*map, r) : sum);
      }
  return image;
}

}  // namespace spokelab
