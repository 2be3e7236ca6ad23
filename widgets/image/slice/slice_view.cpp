#include "widgets/image/slice/slice_view.h"

#include <cmath>

#include <QPainter>

#include "widgets/core/image_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/display/measurement.h"
#include "widgets/image/slice/slice_renderer.h"

namespace spokelab {
namespace {

constexpr double margin = 8;     // pixels around a fitted picture
constexpr double textInset = 8;  // pixels from the view's edge
constexpr double cursorGap = 9;  // pixels left free around the cursor's centre

}  // namespace

SliceView::SliceView(Plane plane, QWidget* parent)
    : QWidget(parent), plane_(plane), map_(QStringLiteral("grey")) {
  setPlane(plane);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setEmptyText(tr("No image yet"));
  setWhatsThis(
      tr("Wheel: slice. Left drag: cursor. Right drag or Shift and left drag: window and level. "
         "Ctrl and wheel: zoom. Middle drag: move. Double click: fit. "
         "Keys M, P, R, I, C: magnitude, phase, real, imaginary, complex. O, B, L: measure in an ellipse, a "
         "box, "
         "along a line."));
}

void SliceView::setPlane(Plane plane) {
  plane_ = plane;
  static constexpr std::array<const char*, 3> names{"axialView", "coronalView", "sagittalView"};
  setObjectName(QLatin1String(names[std::size_t(plane)]));
  setAccessibleName(tr("%1 slice").arg(planeTitle(plane)));
  axes_ = planeAxes(pixels_, plane_);
  invalidate();
}

void SliceView::setEmptyText(const QString& text) {
  emptyText_ = text;
  update();
}

void SliceView::setImage(std::shared_ptr<const Image> image, int frame, bool fit) {
  image_ = isShowable(image.get()) ? std::move(image) : nullptr;
  hovered_.reset();
  if (!image_) setSecond(nullptr, SecondImage::none);
  frame_ = image_ ? std::clamp(frame, 0, image_->frames - 1) : 0;
  pixels_ = image_ ? pixelAxes(*image_) : PixelAxes{};
  axes_ = planeAxes(pixels_, plane_);
  if (image_ && fit) {
    fitting_ = fittingWindows(*image_, frame_);
    windows_ = fitting_;
    cursor_ = {image_->size[0] / 2, image_->size[1] / 2, image_->size[2] / 2};
    zoom_ = 1;
    pan_ = {};
  }
  if (image_) cursor_ = clamped(cursor_);
  invalidate();
}

void SliceView::setFrame(int frame) {
  if (!image_ || frame < 0 || frame >= image_->frames || frame == frame_) return;
  frame_ = frame;
  invalidate();
}

Index3 SliceView::clamped(Index3 index) const {
  for (std::size_t d = 0; d < 3; ++d) index[d] = std::clamp<std::int64_t>(index[d], 0, image_->size[d] - 1);
  return index;
}

void SliceView::setCursorIndex(const Index3& index) {
  if (!image_) return;
  const Index3 inside = clamped(index);
  if (inside == cursor_) return;
  const bool sameSlice = inside[std::size_t(axes_.through)] == slice();
  cursor_ = inside;
  if (sameSlice)
    update();
  else
    invalidate();
}

void SliceView::moveCursor(const Index3& index) {
  const Index3 before = cursor_;
  setCursorIndex(index);
  if (cursor_ != before) Q_EMIT cursorMoved(cursor_);
}

void SliceView::setMode(DisplayMode mode) {
  if (mode == mode_) return;
  mode_ = mode;
  invalidate();
}

void SliceView::setWindows(const DisplayWindows& windows) {
  if (windows == windows_) return;
  windows_ = windows;
  invalidate();
}

void SliceView::setFittingWindows(const DisplayWindows& windows) {
  fitting_ = windows;
}

void SliceView::setColourMap(const QString& name) {
  map_ = name;
  invalidate();
}

void SliceView::setInterpolates(bool on) {
  interpolate_ = on;
  update();
}

void SliceView::setCursorVisible(bool visible) {
  cursorVisible_ = visible;
  update();
}

void SliceView::setReadoutVisible(bool visible) {
  readoutVisible_ = visible;
  update();
}

void SliceView::resetView() {
  zoom_ = 1;
  pan_ = {};
  update();
}

void SliceView::setView(double zoom, const QPointF& pan) {
  zoom_ = zoom;
  pan_ = pan;
  update();
}

void SliceView::invalidate() {
  picture_ = {};
  secondPicture_ = {};
  update();
}

// --- geometry on the screen -------------------------------------------------------------------------

QRectF SliceView::pictureRect() const {
  if (!image_) return {};
  const double widthMm = double(extent(axes_.across)) * pixels_.spacing[std::size_t(axes_.across)];
  const double heightMm = double(extent(axes_.down)) * pixels_.spacing[std::size_t(axes_.down)];
  const double roomAcross = std::max(1.0, width() - 2 * margin),
               roomDown = std::max(1.0, height() - 2 * margin);
  const double pixelsPerMm = zoom_ * std::min(roomAcross / widthMm, roomDown / heightMm);
  const QSizeF size(widthMm * pixelsPerMm, heightMm * pixelsPerMm);
  const QPointF centre = QPointF(width() / 2.0, height() / 2.0) + pan_;
  return {centre.x() - size.width() / 2, centre.y() - size.height() / 2, size.width(), size.height()};
}

QPointF SliceView::voxelToWidget(const Index3& index) const {
  if (!image_) return {};
  const QRectF picture = pictureRect();
  const auto along = [&](int axis, bool flip) {
    const std::int64_t n = extent(axis), i = index[std::size_t(axis)];
    return (double(flip ? n - 1 - i : i) + 0.5) / double(n);
  };
  return {picture.left() + along(axes_.across, axes_.flipAcross) * picture.width(),
          picture.top() + along(axes_.down, axes_.flipDown) * picture.height()};
}

std::optional<Index3> SliceView::widgetToVoxel(const QPointF& point) const {
  if (!image_) return std::nullopt;
  const QRectF picture = pictureRect();
  Index3 index = cursor_;
  bool inside = true;
  const auto set = [&](int axis, bool flip, double fraction) {
    const std::int64_t n = extent(axis), i = std::int64_t(std::floor(fraction * double(n)));
    if (i < 0 || i >= n) inside = false;
    index[std::size_t(axis)] = flip ? n - 1 - i : i;
  };
  set(axes_.across, axes_.flipAcross, (point.x() - picture.left()) / picture.width());
  set(axes_.down, axes_.flipDown, (point.y() - picture.top()) / picture.height());
  if (!inside) return std::nullopt;
  return index;
}

std::array<QString, 4> SliceView::sideTexts() const {
  if (!image_) return {};
  const auto side = [&](int axis, bool flip) {
    Vec3 d = pixels_.direction[std::size_t(axis)];
    if (flip) d = {-d[0], -d[1], -d[2]};
    const QString ahead = sideLetters(d, pixels_.nominal);
    const QString behind = sideLetters({-d[0], -d[1], -d[2]}, pixels_.nominal);
    return std::pair(behind, ahead);
  };
  const auto [left, right] = side(axes_.across, axes_.flipAcross);
  const auto [top, bottom] = side(axes_.down, axes_.flipDown);
  return {left, right, top, bottom};
}

// --- text -------------------------------------------------------------------------------------------

QString SliceView::readout(const Index3& index) const {
  if (!image_) return {};
  const Index3 at = clamped(index);
  const std::int64_t offset = (at[2] * image_->size[1] + at[1]) * image_->size[0] + at[0];
  const cfloat v = image_->frame(frame_)[offset];
  const QString place = QStringLiteral("x %1  y %2  z %3    ").arg(at[0]).arg(at[1]).arg(at[2]) +
                        positionText(pixels_.position(at), pixels_.nominal);
  if (!std::isfinite(v.real()) || !std::isfinite(v.imag()))
    return place + QStringLiteral("    ") + tr("not a number");
  const QString magnitude = QStringLiteral("|m| %1").arg(valueText(std::abs(cdouble(v))));
  const QString phase = tr("phase %1 rad").arg(std::arg(v), 0, 'f', 2);
  QString value = magnitude + QStringLiteral("  ") + phase;
  if (DisplayWindows::isSigned(mode_))
    value +=
        QStringLiteral("  ") + (mode_ == DisplayMode::real ? tr("real %1").arg(valueText(v.real()))
                                                           : tr("imaginary %1").arg(valueText(v.imag())));
  return place + QStringLiteral("    ") + value;
}

QString SliceView::sliceText() const {
  static constexpr std::array<char, 3> names{'x', 'y', 'z'};
  const int axis = axes_.through;
  QString text = planeTitle(plane_);
  if (extent(axis) > 1)
    text += QStringLiteral("   %1 %2 / %3")
                .arg(QLatin1Char(names[std::size_t(axis)]))
                .arg(slice())
                .arg(extent(axis) - 1);
  if (readoutVisible_ && image_->frames > 1)
    text += QStringLiteral("   ") + tr("frame %1 / %2").arg(frame_).arg(image_->frames - 1);
  return text;
}

QString SliceView::windowText() const {
  if (mode_ == DisplayMode::phase) return QStringLiteral("\u2212\u03c0 \u2026 \u03c0");
  const DisplayWindow w = window();
  return tr("L %1  W %2").arg(valueText(w.level), valueText(w.width));
}

// --- painting ---------------------------------------------------------------------------------------

void SliceView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), ImageTheme::background());
  if (!image_) {
    paintEmpty(painter);
    return;
  }
  if (picture_.isNull())
    picture_ = renderSlice(*image_, {frame_, axes_, slice(), mode_, window(), &ColourMap::sequential(map_)});
  const QRectF picture = pictureRect();
  const bool blend = interpolate_ && mode_ != DisplayMode::phase && mode_ != DisplayMode::complex;
  painter.setRenderHint(QPainter::SmoothPixmapTransform, blend);
  painter.drawImage(picture, picture_);
  paintSecond(painter);
  paintMeasurement(painter);
  if (cursorVisible_) paintCursor(painter, picture);
  paintOverlay(painter);
  if (hasFocus()) {
    painter.setPen(ImageTheme::focus());
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void SliceView::paintCursor(QPainter& painter, const QRectF& picture) {
  const QPointF at = voxelToWidget(cursor_);
  painter.setPen(QPen(ImageTheme::cursor(), 1));
  const auto line = [&](QPointF from, QPointF to, bool visible) {
    if (visible) painter.drawLine(from, to);
  };
  line({picture.left(), at.y()}, {at.x() - cursorGap, at.y()}, at.x() - cursorGap > picture.left());
  line({at.x() + cursorGap, at.y()}, {picture.right(), at.y()}, at.x() + cursorGap < picture.right());
  line({at.x(), picture.top()}, {at.x(), at.y() - cursorGap}, at.y() - cursorGap > picture.top());
  line({at.x(), at.y() + cursorGap}, {at.x(), picture.bottom()}, at.y() + cursorGap < picture.bottom());
}

void SliceView::paintOverlay(QPainter& painter) {
  const QRectF area = QRectF(rect()).adjusted(textInset, textInset, -textInset, -textInset);
  const auto [left, right, top, bottom] = sideTexts();
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  ImageTheme::drawText(painter, area, Qt::AlignLeft | Qt::AlignVCenter, left, ImageTheme::letters());
  ImageTheme::drawText(painter, area, Qt::AlignRight | Qt::AlignVCenter, right, ImageTheme::letters());
  ImageTheme::drawText(painter, area, Qt::AlignHCenter | Qt::AlignTop, top, ImageTheme::letters());
  ImageTheme::drawText(painter, area, Qt::AlignHCenter | Qt::AlignBottom, bottom, ImageTheme::letters());

  painter.setFont(ImageTheme::smallFont(font()));
  const QFontMetricsF metrics(painter.font());
  const double half = area.width() / 2 - metrics.horizontalAdvance(top);
  ImageTheme::drawText(painter, area, Qt::AlignLeft | Qt::AlignTop, sliceText(), ImageTheme::text());
  if (metrics.horizontalAdvance(windowText()) < half)
    ImageTheme::drawText(painter, area, Qt::AlignRight | Qt::AlignTop, windowText(), ImageTheme::text());
  if (zoom_ != 1)
    ImageTheme::drawText(painter, area, Qt::AlignRight | Qt::AlignBottom,
                         QStringLiteral("\u00d7%1").arg(zoom_, 0, 'f', 1), ImageTheme::text());
  if (readoutVisible_) {
    const double above = metrics.height() + textInset / 2;  // keeps clear of the letter below
    ImageTheme::drawText(painter, area.adjusted(0, 0, 0, -above), Qt::AlignLeft | Qt::AlignBottom,
                         readout(hovered_.value_or(cursor_)), ImageTheme::text());
  }
}

void SliceView::paintEmpty(QPainter& painter) {
  painter.setPen(ImageTheme::hint());
  const int inset = int(2 * textInset);
  painter.drawText(rect().adjusted(inset, inset, -inset, -inset), Qt::AlignCenter | Qt::TextWordWrap,
                   emptyText_);
}

}  // namespace spokelab
