#include "engine/scan/read/places/planar_header.h"

#include <algorithm>
#include <cmath>

#include "engine/core/text.h"

namespace spokelab {

PlanarHeader volumeUnderPlanarHeader(const EncodedSpace& header, const Vec3& k, std::int64_t partitions) {
  constexpr double rounding = 0.05;  // pairs of planes that a coordinate may be beyond a whole number
  constexpr std::int64_t maxPlanes = 65534;
  constexpr int digits = 4;
  PlanarHeader p;
  constexpr double sameReach = 0.05;  // relative: few shots reach the edge of a sphere along no axis
  const double inPlane = std::max(k[0], k[1]);
  double ratio = inPlane > 0 ? k[2] / inPlane : 1;
  if (std::abs(ratio - 1) < sameReach) ratio = 1;
  const double pairs = std::ceil(double(header.matrix[0]) * ratio / 2 - rounding);
  p.planes = partitions > 1 ? partitions : std::int64_t(std::clamp(2 * pairs, 2.0, double(maxPlanes)));
  const double pixel = std::abs(header.fov[0]) / double(std::max<std::int64_t>(1, header.matrix[0]));
  p.fov = pixel * double(p.planes);
  p.evidence = "mm; the header describes a slice (matrix " + sizeText(header.matrix, 3) + ", " +
               numberText(std::abs(header.fov[2]), digits) + " mm along z), the trajectory a volume: " +
               (partitions > 1 ? std::to_string(partitions) + " partitions are counted"
                               : "|kz| reaches " + numberText(k[2], digits) + " where |kx| and |ky| reach " +
                                     numberText(inPlane, digits)) +
               "; " + countText(p.planes, "plane") + " as thick as the pixels are wide are assumed";
  if (header.fov[2] != 0) p.otherFovs = {std::abs(header.fov[2]), std::abs(header.fov[2]) * double(p.planes)};
  return p;
}

}  // namespace spokelab
