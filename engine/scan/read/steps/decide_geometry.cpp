#include "engine/scan/read/steps/decide_geometry.h"

#include <array>
#include <cmath>
#include <cstring>

#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr double maxDotOfOrthogonal = 1e-2;

// The acquisition header is packed: its floats may lie at odd places.
Vec3 vectorOf(const void* floats) {
  std::array<float, 3> v{};
  std::memcpy(v.data(), floats, sizeof v);
  return {double(v[0]), double(v[1]), double(v[2])};
}
double dot(const Vec3& a, const Vec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
bool isFinite(const Vec3& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

bool normalise(Vec3& v) {
  constexpr double minLength = 0.5;  // of a unit vector
  const double length = std::sqrt(dot(v, v));
  if (!isFinite(v) || !(length > minLength)) return false;
  for (double& x : v) x /= length;
  return true;
}

std::string vectorText(const Vec3& v) {
  return "(" + numberText(v[0]) + ", " + numberText(v[1]) + ", " + numberText(v[2]) + ")";
}

bool readDirections(const AcquisitionHead& head, Geometry& g) {
  Vec3 read = vectorOf(head.read_dir), phase = vectorOf(head.phase_dir), slice = vectorOf(head.slice_dir);
  if (!normalise(read) || !normalise(phase)) return false;
  if (std::abs(dot(read, phase)) > maxDotOfOrthogonal) return false;
  if (!normalise(slice)) slice = cross(read, phase);
  if (std::abs(dot(read, slice)) > maxDotOfOrthogonal || std::abs(dot(phase, slice)) > maxDotOfOrthogonal)
    return false;
  g.readDirection = read;
  g.phaseDirection = phase;
  g.sliceDirection = slice;
  return true;
}

}  // namespace

Geometry decideGeometry(const Groups& groups, const Selection& s, const std::vector<AcquisitionHead>& heads,
                        const ImageSpace& space, int dims, Decisions& d) {
  Geometry g;
  g.matrix = space.matrix;
  g.fov = space.fov;
  g.nominal = space.nominal;
  const auto headOf = [&](std::size_t position) -> const AcquisitionHead& {
    return heads[std::size_t(s.imaging[position])];
  };
  const AcquisitionHead& first = headOf(groups.lines.front().front().front());
  if (readDirections(first, g)) {
    d.note("orientation", "from the header",
           "read " + vectorText(g.readDirection) + ", phase " + vectorText(g.phaseDirection) + ", slice " +
               vectorText(g.sliceDirection));
  } else {
    d.note("orientation", "assumed",
           "the directions in the acquisition headers are no unit vectors at right angles: axes of the "
           "patient used");
    g.nominal = true;
  }
  g.slicePositions.clear();
  bool finitePositions = true;
  for (const auto& slice : groups.lines.front()) {
    Vec3 p = vectorOf(headOf(slice.front()).position);
    if (!isFinite(p)) {
      finitePositions = false;
      p = {0, 0, 0};
    }
    g.slicePositions.push_back(p);
    if (dims == 3) break;
  }
  if (!finitePositions) {
    d.warn("Positions in the acquisition headers are not finite; the scanner's centre is used");
    g.nominal = true;
  }
  return g;
}

}  // namespace spokelab
