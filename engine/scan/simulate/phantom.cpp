#include "engine/scan/simulate/phantom.h"

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/scan/simulate/kernels/shifted_kspace.h"

namespace spokelab {
namespace {

using std::numbers::pi;

// Into the axes of a shape turned by `angle` about z.
Vec3 intoShape(const PhantomShape& e, const Vec3& v) {
  if (e.angle == 0) return v;
  const double c = std::cos(e.angle), s = std::sin(e.angle);
  return {c * v[0] + s * v[1], -s * v[0] + c * v[1], v[2]};
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
    throw Error("Cannot use the phantom", "it has no coil " + std::to_string(coil),
                "Ask for coils from 0 to " + std::to_string(phantom.coils.size() - 1));
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
