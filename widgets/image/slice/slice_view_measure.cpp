// Regions and lines in a slice view, and a second image for wipe and flicker.
#include <cmath>

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>

#include "widgets/core/image_theme.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/display/measurement.h"
#include "widgets/image/slice/slice_renderer.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr std::int64_t firstShare = 10;  // of the image's size: the radius of a region made by key
constexpr double wipeReach = 8, wipeStep = 0.05;

}  // namespace

void SliceView::setMeasurement(Measurement* measurement) {
  if (measurement_) disconnect(measurement_, nullptr, this, nullptr);
  measurement_ = measurement;
  if (!measurement_) return;
  connect(measurement_, &Measurement::changed, this, qOverload<>(&QWidget::update));
}

bool SliceView::measures() const {
  return measurement_ && measurement_->tool() != SliceTool::cursor;
}

// From one pixel to another in this slice, as the tool draws.
void SliceView::measure(const Index3& from, const Index3& to) {
  const auto through = std::size_t(axes_.through);
  if (measurement_->tool() == SliceTool::line) {
    MeasuredLine line;
    for (std::size_t d = 0; d < 3; ++d) {
      line.from[d] = double(from[d]);
      line.to[d] = double(d == through ? from[d] : to[d]);
    }
    line.through = axes_.through;
    measurement_->setLine(line);
    return;
  }
  ImageRegion region;
  for (std::size_t d = 0; d < 3; ++d) {
    region.low[d] = std::min(from[d], to[d]);
    region.high[d] = std::max(from[d], to[d]);
  }
  region.low[through] = region.high[through] = slice();
  region.ellipse = measurement_->tool() == SliceTool::ellipse;
  region.through = axes_.through;
  measurement_->setRegion(region);
}

// O, B, L: an ellipse, a box, a line about the cursor, and the tool that draws them; again: none. [ ]: smaller, larger.
bool SliceView::measureKey(int key) {
  if (!measurement_ || !image_) return false;
  const auto across = std::size_t(axes_.across), down = std::size_t(axes_.down);
  const auto about = [&](SliceTool tool, bool is) {
    measurement_->setTool(is ? SliceTool::cursor : tool);
    if (is) {
      if (tool == SliceTool::line)
        measurement_->setLine(std::nullopt);
      else
        measurement_->setRegion(std::nullopt);
      return true;
    }
    Index3 from = cursor_, to = cursor_;
    const std::int64_t reach =
        std::max<std::int64_t>(1, std::min(extent(axes_.across), extent(axes_.down)) / firstShare);
    if (tool == SliceTool::line) {
      from[across] = 0;
      to[across] = extent(axes_.across) - 1;
    } else {
      for (const std::size_t d : {across, down}) {
        from[d] -= reach;
        to[d] += reach;
      }
    }
    measure(clamped(from), clamped(to));
    return true;
  };
  const auto& region = measurement_->region();
  switch (key) {
    case Qt::Key_O:
      return about(SliceTool::ellipse,
                   region && region->ellipse && measurement_->tool() == SliceTool::ellipse);
    case Qt::Key_B:
      return about(SliceTool::box, region && !region->ellipse && measurement_->tool() == SliceTool::box);
    case Qt::Key_L:
      return about(SliceTool::line, measurement_->line() && measurement_->tool() == SliceTool::line);
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight: {
      if (!region) return false;
      ImageRegion changed = *region;
      const std::int64_t step = key == Qt::Key_BracketRight ? 1 : -1;
      for (std::size_t d = 0; d < 3; ++d) {
        if (int(d) == changed.through) continue;
        changed.low[d] = std::max<std::int64_t>(changed.low[d] - step, 0);
        changed.high[d] = std::min(changed.high[d] + step, image_->size[d] - 1);
        if (changed.low[d] > changed.high[d]) return true;
      }
      measurement_->setRegion(changed);
      return true;
    }
    default:
      return false;
  }
}

void SliceView::paintMeasurement(QPainter& painter) {
  if (!measurement_) return;
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setPen(QPen(ImageTheme::measured(), 1.5));
  painter.setBrush(Qt::NoBrush);
  const QRectF picture = pictureRect();
  const QPointF half(picture.width() / double(2 * extent(axes_.across)),
                     picture.height() / double(2 * extent(axes_.down)));
  if (const auto& region = measurement_->region(); region && region->through == axes_.through &&
                                                   region->low[std::size_t(axes_.through)] <= slice() &&
                                                   slice() <= region->high[std::size_t(axes_.through)]) {
    QRectF area = QRectF(voxelToWidget(region->low), voxelToWidget(region->high)).normalized();
    area.adjust(-half.x(), -half.y(), half.x(), half.y());
    if (region->ellipse)
      painter.drawEllipse(area);
    else
      painter.drawRect(area);
  }
  if (const auto& line = measurement_->line(); line && line->through == axes_.through) {
    const auto rounded = [](const Vec3& v) {
      return Index3{std::llround(v[0]), std::llround(v[1]), std::llround(v[2])};
    };
    const Index3 from = rounded(line->from), to = rounded(line->to);
    if (from[std::size_t(axes_.through)] == slice()) {
      painter.drawLine(voxelToWidget(from), voxelToWidget(to));
      painter.setBrush(ImageTheme::measured());
      constexpr double dot = 3;
      painter.drawEllipse(voxelToWidget(from), dot, dot);  // where the profile begins
    }
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

// --- a second image ---------------------------------------------------------------------------------

void SliceView::setSecond(std::shared_ptr<const Image> image, SecondImage how) {
  const bool fits =
      image_ && isShowable(image.get()) && image->size == image_->size && image->frames == image_->frames;
  second_ = fits ? std::move(image) : nullptr;
  secondHow_ = second_ ? how : SecondImage::none;
  invalidate();
}

void SliceView::setWipe(double fraction) {
  wipe_ = std::clamp(fraction, 0.0, 1.0);
  update();
}

double SliceView::wipeX() const {
  const QRectF picture = pictureRect();
  return picture.left() + wipe_ * picture.width();
}

bool SliceView::atWipe(const QPointF& point) const {
  return secondHow_ == SecondImage::wipe && std::abs(point.x() - wipeX()) <= wipeReach;
}

void SliceView::dragWipe(const QPointF& point) {
  const QRectF picture = pictureRect();
  setWipe((point.x() - picture.left()) / picture.width());
  Q_EMIT wipeMoved(wipe_);
}

// , and . move the line of a wipe.
bool SliceView::wipeKey(int key) {
  if (secondHow_ != SecondImage::wipe || (key != Qt::Key_Comma && key != Qt::Key_Period)) return false;
  setWipe(wipe_ + (key == Qt::Key_Period ? wipeStep : -wipeStep));
  Q_EMIT wipeMoved(wipe_);
  return true;
}

// Over the first picture: right of the line, or in its place.
void SliceView::paintSecond(QPainter& painter) {
  if (secondHow_ == SecondImage::none || !second_) return;
  if (secondPicture_.isNull())
    secondPicture_ =
        renderSlice(*second_, {frame_, axes_, slice(), mode_, window(), &ColourMap::sequential(map_)});
  const QRectF picture = pictureRect();
  if (secondHow_ == SecondImage::whole) {
    painter.drawImage(picture, secondPicture_);
    return;
  }
  painter.save();
  painter.setClipRect(QRectF(wipeX(), picture.top(), picture.right() - wipeX(), picture.height()));
  painter.drawImage(picture, secondPicture_);
  painter.restore();
  painter.setPen(QPen(ImageTheme::measured(), 1));
  painter.drawLine(QPointF(wipeX(), picture.top()), QPointF(wipeX(), picture.bottom()));
}

}  // namespace spokelab
