// Draws the points of a trajectory into a picture, and remembers which sample each pixel shows.
// Orthographic projection of k-space (cycles/FOV): azimuth turns about kz, elevation tips towards the viewer; at
// (0, 0) kx points right and ky up. A million points take some milliseconds; nearer points hide farther ones.
#pragma once

#include <vector>

#include <QImage>
#include <QPointF>

#include "engine/scan/scan.h"

namespace spokelab {

enum class TrajectoryColour { shot, time, weight };

struct KspaceProjection {
  std::array<Vec3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // right, up, towards the viewer, in k-space
  double scale = 1;                                             // pixels a cycle/FOV
  QPointF centre;                                               // of k = 0

  QPointF point(const Vec3& k) const;
  double depth(const Vec3& k) const;  // larger is nearer
};

// azimuth, elevation in degrees.
std::array<Vec3, 3> viewAxes(double azimuth, double elevation);

struct TrajectoryPicture {
  QImage image;                      // ARGB, transparent where there is no point
  std::vector<std::int32_t> sample;  // [height, width]; -1: none
  double pixelRatio = 1;
  std::int64_t step = 1;  // each step-th sample was drawn
};

// Values that the colours stand for, and their range.
struct ColourRange {
  double low = 0, high = 1;
  bool logarithmic = false;
};
ColourRange colourRange(const Trajectory& trajectory, TrajectoryColour colour);

// size in device pixels; the projection too. maximumPoints: 0 draws all.
TrajectoryPicture drawTrajectory(const Trajectory& trajectory, const KspaceProjection& projection, const QSize& size,
                                 TrajectoryColour colour, int pointSize, std::int64_t maximumPoints);

// The shot that a sample belongs to.
std::int64_t shotOf(const Trajectory& trajectory, std::int64_t sample);

}  // namespace spokelab
