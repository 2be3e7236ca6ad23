#include "engine/scan/read/places/head_place.h"

#include <array>
#include <cmath>
#include <cstring>

#include "engine/scan/place/vectors.h"

namespace spokelab {
namespace {

constexpr double maxDotOfOrthogonal = 1e-2;

// The acquisition header is packed: its floats may lie at odd places.
Vec3 vectorOf(const void* floats) {
  std::array<float, 3> v{};
  std::memcpy(v.data(), floats, sizeof v);
  return {double(v[0]), double(v[1]), double(v[2])};
}

bool isFinite(const Vec3& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

bool normalise(Vec3& v) {
  constexpr double minLength = 0.5;  // of a unit vector
  const double length = lengthOf(v);
  if (!isFinite(v) || !(length > minLength)) return false;
  for (double& x : v) x /= length;
  return true;
}

bool readDirections(const AcquisitionHead& head, Directions& directions) {
  Directions d{vectorOf(head.read_dir), vectorOf(head.phase_dir), vectorOf(head.slice_dir)};
  if (!normalise(d.read) || !normalise(d.phase)) return false;
  if (std::abs(dot(d.read, d.phase)) > maxDotOfOrthogonal) return false;
  if (!normalise(d.slice)) d.slice = cross(d.read, d.phase);
  if (std::abs(dot(d.read, d.slice)) > maxDotOfOrthogonal ||
      std::abs(dot(d.phase, d.slice)) > maxDotOfOrthogonal)
    return false;
  directions = d;
  return true;
}

}  // namespace

HeadPlace placeOf(const AcquisitionHead& head) {
  HeadPlace result;
  result.hasDirections = readDirections(head, result.place.directions);
  result.place.position = vectorOf(head.position);
  result.hasPosition = isFinite(result.place.position);
  if (!result.hasPosition) result.place.position = {0, 0, 0};
  return result;
}

}  // namespace spokelab
