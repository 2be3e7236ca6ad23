#include "widgets/trajectory/trajectory_camera.h"

#include <algorithm>
#include <cmath>

namespace spokelab {
namespace {

constexpr double startAzimuthDegrees = 30, startElevationDegrees = 22, fromAboveDegrees = 90;
constexpr double minZoom = 0.3, maxZoom = 200;
// shares of the area that k-space takes at zoom 1
constexpr double flatFill = 0.94, solidFill = 0.86;

}  // namespace

void TrajectoryCamera::reset() {
  azimuth = solid ? startAzimuthDegrees : 0;
  elevation = solid ? startElevationDegrees : fromAboveDegrees;
  zoom = 1;
  pan = {};
}

void TrajectoryCamera::turn(double byAzimuth, double byElevation) {
  azimuth = std::remainder(azimuth + byAzimuth, 360);
  elevation = std::clamp(elevation + byElevation, -fromAboveDegrees, fromAboveDegrees);
}

void TrajectoryCamera::zoomAbout(const QPointF& point, double factor, const QRectF& area) {
  const double now = std::clamp(zoom * factor, minZoom, maxZoom);
  pan += (point - projection(area).centre) * (1 - now / zoom);
  zoom = now;
}

KspaceProjection TrajectoryCamera::projection(const QRectF& area) const {
  KspaceProjection p;
  p.axes = viewAxes(azimuth, elevation);
  const double fit =
      solid ? solidFill * std::min(area.width(), area.height()) / (2 * radius())
            : flatFill * std::min(area.width() / (2 * halfSize[0]), area.height() / (2 * halfSize[1]));
  p.scale = zoom * fit;
  p.centre = area.center() + pan;
  return p;
}

double TrajectoryCamera::radius() const {
  return std::hypot(halfSize[0], halfSize[1], halfSize[2]);
}

Vec3 extentOf(const Trajectory& trajectory) {
  Vec3 extent{0, 0, 0};
  const auto dims = std::size_t(trajectory.dims);
  const auto end = std::size_t(trajectory.samples()) * dims;
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t i = d; i < end; i += dims) {
      const double k = std::abs(trajectory.points[i]);
      if (k > extent[d] && std::isfinite(k)) extent[d] = k;
    }
  return extent;
}

}  // namespace spokelab
