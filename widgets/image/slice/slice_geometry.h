// Maps the voxels of one slice to the screen: physical aspect, zoom and pan.
#pragma once

#include <optional>

#include <QPointF>
#include <QRectF>
#include <QSize>

#include "widgets/image/display/orientation.h"

namespace spokelab {

struct SliceGeometry {
  Index3 size{1, 1, 1};  // of the image
  PixelAxes pixels;
  PlaneAxes axes;
  QSize view;
  double zoom = 1;
  QPointF pan;  // pixels of the view

  std::int64_t extent(int axis) const { return size[std::size_t(axis)]; }
  std::int64_t slice(const Index3& cursor) const { return cursor[std::size_t(axes.through)]; }
  Index3 clamped(Index3 index) const;
  // The whole slice in widget coordinates.
  QRectF picture() const;
  // Centre of a voxel in widget coordinates.
  QPointF toWidget(const Index3& index) const;
  // The voxel under a point, in the slice of the cursor, if there is one.
  std::optional<Index3> toVoxel(const QPointF& point, const Index3& cursor) const;
  // The same for the nearest point of the slice.
  std::optional<Index3> toNearestVoxel(const QPointF& point, const Index3& cursor) const;
};

}  // namespace spokelab
