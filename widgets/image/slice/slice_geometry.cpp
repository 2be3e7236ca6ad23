#include "widgets/image/slice/slice_geometry.h"

#include <algorithm>
#include <cmath>

namespace spokelab {
namespace {

constexpr double margin = 8;  // pixels around a fitted picture

}  // namespace

Index3 SliceGeometry::clamped(Index3 index) const {
  for (std::size_t d = 0; d < 3; ++d) index[d] = std::clamp<std::int64_t>(index[d], 0, size[d] - 1);
  return index;
}

QRectF SliceGeometry::picture() const {
  const double widthMm = double(extent(axes.across)) * pixels.spacing[std::size_t(axes.across)];
  const double heightMm = double(extent(axes.down)) * pixels.spacing[std::size_t(axes.down)];
  const double roomAcross = std::max(1.0, view.width() - 2 * margin),
               roomDown = std::max(1.0, view.height() - 2 * margin);
  const double pixelsPerMm = zoom * std::min(roomAcross / widthMm, roomDown / heightMm);
  const QSizeF shown(widthMm * pixelsPerMm, heightMm * pixelsPerMm);
  const QPointF centre = QPointF(view.width() / 2.0, view.height() / 2.0) + pan;
  return {centre.x() - shown.width() / 2, centre.y() - shown.height() / 2, shown.width(), shown.height()};
}

QPointF SliceGeometry::toWidget(const Index3& index) const {
  const QRectF pictureArea = picture();
  const auto along = [&](int axis, bool flip) {
    const std::int64_t n = extent(axis), i = index[std::size_t(axis)];
    return (double(flip ? n - 1 - i : i) + 0.5) / double(n);
  };
  return {pictureArea.left() + along(axes.across, axes.flipAcross) * pictureArea.width(),
          pictureArea.top() + along(axes.down, axes.flipDown) * pictureArea.height()};
}

std::optional<Index3> SliceGeometry::toVoxel(const QPointF& point, const Index3& cursor) const {
  const QRectF pictureArea = picture();
  Index3 index = cursor;
  bool inside = true;
  const auto set = [&](int axis, bool flip, double fraction) {
    const std::int64_t n = extent(axis), i = std::int64_t(std::floor(fraction * double(n)));
    if (i < 0 || i >= n) inside = false;
    index[std::size_t(axis)] = flip ? n - 1 - i : i;
  };
  set(axes.across, axes.flipAcross, (point.x() - pictureArea.left()) / pictureArea.width());
  set(axes.down, axes.flipDown, (point.y() - pictureArea.top()) / pictureArea.height());
  if (!inside) return std::nullopt;
  return index;
}

std::optional<Index3> SliceGeometry::toNearestVoxel(const QPointF& point, const Index3& cursor) const {
  const QRectF pictureArea = picture();
  constexpr double inside = 1e-3;  // keeps the edge itself within the last voxel
  return toVoxel({std::clamp(point.x(), pictureArea.left(), pictureArea.right() - inside),
                  std::clamp(point.y(), pictureArea.top(), pictureArea.bottom() - inside)},
                 cursor);
}

}  // namespace spokelab
