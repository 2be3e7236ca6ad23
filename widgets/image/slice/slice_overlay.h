// Texts and lines over a slice: sides, slice, window, zoom and value, and the cursor's cross.
#pragma once

#include <array>

#include <QFont>
#include <QRect>
#include <QString>

#include "widgets/core/display_mode.h"
#include "widgets/image/slice/slice_geometry.h"

class QPainter;

namespace spokelab {

struct SliceOverlay {
  std::array<QString, 4> sides;  // at left, right, top, bottom
  QString slice, window, readout;
  double zoom = 1;
};
void paintOverlay(QPainter& painter, const SliceOverlay& overlay, const QRect& view, const QFont& font);
// Lines through the cursor, broken near it; `picture` is the slice's rectangle.
void paintCursor(QPainter& painter, const QRectF& picture, const QPointF& at);
void paintEmptyText(QPainter& painter, const QRect& view, const QString& text);

// Sides of the patient at left, right, top, bottom of the slice.
std::array<QString, 4> sideTexts(const PixelAxes& pixels, const PlaneAxes& axes);
// "x 64  y 64  z 1   R 12.0  A 3.0  S 5.0 mm   |m| 0.12   phase 0.52 rad"; the voxel is in the
// image.
QString readoutText(const Image& image, int frame, const PixelAxes& pixels, const Index3& voxel,
                    DisplayMode mode);
// "Axial   z 12 / 63"
QString sliceText(Plane plane, const SliceGeometry& geometry, const Index3& cursor);
// "L 0.5  W 1"; a phase has no window.
QString windowText(const DisplayWindow& window, DisplayMode mode);

}  // namespace spokelab
