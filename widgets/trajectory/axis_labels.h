// Places the names of a solid view's axes beside edges of the box and outside of its outline, so
// that they hide neither samples nor each other.
#pragma once

#include <array>

#include <QRectF>
#include <QSizeF>

#include "widgets/trajectory/trajectory_renderer.h"

namespace spokelab {

// The box reaches from -half to +half (cycles/FOV); `inside` is where text can be seen, `taken` a
// control above it; `sizes` are the texts'. Each axis takes its farthest edge that leaves room,
// towards its positive end. If no edge leaves room (a view zoomed in), it takes the farthest place.
std::array<QRectF, 3> placeAxisLabels(const KspaceProjection& projection, const Vec3& half,
                                      const QRectF& inside, const QRectF& taken,
                                      const std::array<QSizeF, 3>& sizes);

// Outline of the box as it is seen: its eight corners' convex hull.
QPolygonF boxOutline(const KspaceProjection& projection, const Vec3& half);

}  // namespace spokelab
