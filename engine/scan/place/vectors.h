// Arithmetic of positions and directions, mm.
#pragma once

#include <cmath>

#include "engine/core/array.h"

namespace spokelab {

inline double dot(const Vec3& a, const Vec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vec3 minus(const Vec3& a, const Vec3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
// a + factor * b
inline Vec3 along(const Vec3& a, double factor, const Vec3& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
inline double lengthOf(const Vec3& v) {
  return std::sqrt(dot(v, v));
}

}  // namespace spokelab
