#include "widgets/image/slice/slice_measure_tool.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "widgets/core/image_theme.h"

namespace spokelab {
namespace {

// A region made by key has a radius of the image's size over this number.
constexpr std::int64_t firstRadiusShare = 10;

void paintRegion(QPainter& painter, const NamedRegion& named, const SliceGeometry& geometry,
                 std::int64_t slice, bool withName) {
  const ImageRegion& region = *named.region;
  const auto through = std::size_t(geometry.axes.through);
  if (region.through != geometry.axes.through || slice < region.low[through] || region.high[through] < slice)
    return;
  const QRectF picture = geometry.picture();
  const QPointF half(picture.width() / double(2 * geometry.extent(geometry.axes.across)),
                     picture.height() / double(2 * geometry.extent(geometry.axes.down)));
  QRectF area = QRectF(geometry.toWidget(region.low), geometry.toWidget(region.high)).normalized();
  area.adjust(-half.x(), -half.y(), half.x(), half.y());
  if (region.ellipse)
    painter.drawEllipse(area);
  else
    painter.drawRect(area);
  if (!withName) return;
  const QFont before = painter.font();
  const QColor colour = painter.pen().color();
  painter.setFont(ImageTheme::smallFont(before));
  const double tall = painter.fontMetrics().height(),
               wide = painter.fontMetrics().horizontalAdvance(named.name);
  ImageTheme::drawText(painter, QRectF(area.center().x() - wide / 2, area.top() - tall - 1, wide + 2, tall),
                       Qt::AlignCenter, named.name, colour);
  painter.setFont(before);
}

}  // namespace

bool SliceMeasureTool::isOn() const {
  return measurement_ && measurement_->tool() != SliceTool::cursor;
}

void SliceMeasureTool::dragTo(const Index3& to, const SliceGeometry& geometry, const Index3& cursor) {
  if (measurement_) measure(from_, to, geometry, cursor);
}

// Measures from one pixel to another in the cursor's slice, in the tool's form.
void SliceMeasureTool::measure(const Index3& from, const Index3& to, const SliceGeometry& geometry,
                               const Index3& cursor) {
  const auto through = std::size_t(geometry.axes.through);
  if (measurement_->tool() == SliceTool::line) {
    MeasuredLine line;
    for (std::size_t d = 0; d < 3; ++d) {
      line.from[d] = double(from[d]);
      line.to[d] = double(d == through ? from[d] : to[d]);
    }
    line.through = geometry.axes.through;
    measurement_->setLine(line);
    return;
  }
  ImageRegion region;
  for (std::size_t d = 0; d < 3; ++d) {
    region.low[d] = std::min(from[d], to[d]);
    region.high[d] = std::max(from[d], to[d]);
  }
  region.low[through] = region.high[through] = geometry.slice(cursor);
  region.ellipse = measurement_->tool() == SliceTool::ellipse;
  region.through = geometry.axes.through;
  measurement_->setRegion(region);
}

bool SliceMeasureTool::takeKey(int key, const SliceGeometry& geometry, const Index3& cursor) {
  if (!measurement_) return false;
  const auto& region = measurement_->region();
  const SliceTool tool = measurement_->tool();
  switch (key) {
    case Qt::Key_O:
      return toggle(SliceTool::ellipse, region && region->ellipse && tool == SliceTool::ellipse, geometry,
                    cursor);
    case Qt::Key_B:
      return toggle(SliceTool::box, region && !region->ellipse && tool == SliceTool::box, geometry, cursor);
    case Qt::Key_L:
      return toggle(SliceTool::line, measurement_->line() && tool == SliceTool::line, geometry, cursor);
    case Qt::Key_N:
      measurement_->choose(0);
      if (tool == SliceTool::cursor || tool == SliceTool::line) measurement_->setTool(SliceTool::ellipse);
      return true;
    case Qt::Key_BracketLeft:
      return resize(-1, geometry);
    case Qt::Key_BracketRight:
      return resize(1, geometry);
    default:
      return false;
  }
}

// Chooses the tool and draws its shape about the cursor; removes both if it is drawn.
bool SliceMeasureTool::toggle(SliceTool tool, bool isDrawn, const SliceGeometry& geometry,
                              const Index3& cursor) {
  measurement_->setTool(isDrawn ? SliceTool::cursor : tool);
  if (isDrawn) {
    if (tool == SliceTool::line)
      measurement_->setLine(std::nullopt);
    else
      measurement_->setRegion(std::nullopt);
    return true;
  }
  const PlaneAxes& axes = geometry.axes;
  const auto across = std::size_t(axes.across), down = std::size_t(axes.down);
  Index3 from = cursor, to = cursor;
  const std::int64_t shorter = std::min(geometry.extent(axes.across), geometry.extent(axes.down));
  const std::int64_t reach = std::max<std::int64_t>(1, shorter / firstRadiusShare);
  if (tool == SliceTool::line) {
    from[across] = 0;
    to[across] = geometry.extent(axes.across) - 1;
  } else {
    for (const std::size_t d : {across, down}) {
      from[d] -= reach;
      to[d] += reach;
    }
  }
  measure(geometry.clamped(from), geometry.clamped(to), geometry, cursor);
  return true;
}

// Resizes by `step` pixels at each side; a region is never made empty.
bool SliceMeasureTool::resize(std::int64_t step, const SliceGeometry& geometry) {
  const auto& region = measurement_->region();
  if (!region) return false;
  ImageRegion changed = *region;
  for (std::size_t d = 0; d < 3; ++d) {
    if (int(d) == changed.through) continue;
    changed.low[d] = std::max<std::int64_t>(changed.low[d] - step, 0);
    changed.high[d] = std::min(changed.high[d] + step, geometry.size[d] - 1);
    if (changed.low[d] > changed.high[d]) return true;
  }
  measurement_->setRegion(changed);
  return true;
}

void SliceMeasureTool::paint(QPainter& painter, const SliceGeometry& geometry, const Index3& cursor) const {
  if (!measurement_) return;
  painter.save();  // later painting keeps its pen and brush
  painter.setRenderHint(QPainter::Antialiasing, true);
  const std::int64_t slice = geometry.slice(cursor);
  const MeasuredRegions& regions = measurement_->regions();
  for (const NamedRegion& region : regions.all) {
    constexpr double usualPen = 1.2, currentPen = 2;
    painter.setPen(
        QPen(ImageTheme::measured(region.colour), region.id == regions.current ? currentPen : usualPen));
    painter.setBrush(Qt::NoBrush);
    if (region.region) paintRegion(painter, region, geometry, slice, regions.all.size() > 1);
  }
  painter.setPen(QPen(ImageTheme::measured(), 1.5));
  if (const auto& line = measurement_->line(); line && line->through == geometry.axes.through) {
    const auto rounded = [](const Vec3& v) {
      return Index3{std::llround(v[0]), std::llround(v[1]), std::llround(v[2])};
    };
    const Index3 from = rounded(line->from), to = rounded(line->to);
    if (from[std::size_t(geometry.axes.through)] == slice) {
      painter.drawLine(geometry.toWidget(from), geometry.toWidget(to));
      painter.setBrush(ImageTheme::measured());
      constexpr double dot = 3;
      painter.drawEllipse(geometry.toWidget(from), dot, dot);  // where the profile begins
    }
  }
  painter.restore();
}

}  // namespace spokelab
