// The view of k-space: its angles, zoom and shift, and the projection that follows from them.
#pragma once

#include <QPointF>
#include <QRectF>

#include "widgets/trajectory/trajectory_renderer.h"

namespace spokelab {

struct TrajectoryCamera {
  bool solid = false;  // 3-D: turnable; flat views are seen from above
  // cycles/FOV: matrix edge or farthest sample, whichever is larger
  Vec3 halfSize{1, 1, 1};
  double azimuth = 0, elevation = 0;  // degrees
  double zoom = 1;                    // 1: everything fits
  QPointF pan;                        // pixels

  // The first view of a trajectory: everything fits.
  void reset();
  // Turns by angles in degrees; k_z is kept upright.
  void turn(double byAzimuth, double byElevation);
  // Zooms by a factor; the k-space point under `point` does not move. `area` is the rectangle of
  // the view in which k-space is drawn. Both are in the view's pixels.
  void zoomAbout(const QPointF& point, double factor, const QRectF& area);
  // The projection into `area`, in the view's pixels.
  KspaceProjection projection(const QRectF& area) const;
  double radius() const;  // cycles/FOV: the farthest corner
};

// The farthest coordinate of a trajectory in each dimension, cycles/FOV.
Vec3 extentOf(const Trajectory& trajectory);

}  // namespace spokelab
