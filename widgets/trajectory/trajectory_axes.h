// Paints the surroundings of a trajectory's samples: axes with their unit, the box of the matrix
// edge (+-N/2 cycles/FOV), and the shot under the mouse.
#pragma once

#include <array>

#include <QFont>
#include <QRect>
#include <QString>

#include "widgets/trajectory/trajectory_renderer.h"

class QPainter;

namespace spokelab {

// The content of the view and its place, in the view's pixels.
struct TrajectoryFrame {
  const Trajectory& trajectory;
  Index3 matrix;  // pixels along x, y, z
  bool solid;     // 3-D
  KspaceProjection projection;
  QRect whole;   // the view
  QRectF plot;   // the part of it where samples are drawn
  QRectF taken;  // area of a control above the view, which labels avoid
  QFont smallFont;
};

// The name of a 3-D view's axis, beside the box.
struct TrajectoryAxisLabel {
  QString text;
  QRectF area;
};
// Empty in a flat view.
std::array<TrajectoryAxisLabel, 3> axisLabels(const TrajectoryFrame& frame);

// A flat view's axis lines and ticks, with the unit if it fits before `legendLeft`.
void paintFlatAxes(QPainter& painter, const TrajectoryFrame& frame, double legendLeft);
// Lines from the centre to the positive ends; names beside the box hide no sample.
void paintSolidAxes(QPainter& painter, const TrajectoryFrame& frame);
// The matrix edge. Of a solid box, the edges at the nearest corner are its front.
void paintBox(QPainter& painter, const TrajectoryFrame& frame, bool front);
// The whole shot of a sample, with a ring round the sample; -1: nothing.
void paintHoveredShot(QPainter& painter, const TrajectoryFrame& frame, std::int64_t sample);

}  // namespace spokelab
