#include "widgets/image/slice/slice_view.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "widgets/core/image_theme.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/slice/slice_overlay.h"
#include "widgets/image/slice/slice_renderer.h"

namespace spokelab {
SliceView::SliceView(Plane plane, QWidget* parent)
    : QWidget(parent), plane_(plane), map_(QStringLiteral("grey")) {
  setPlane(plane);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setEmptyText(tr("No image yet"));
  followScreenTheme(this, [this] { invalidate(); });
  setWhatsThis(tr(
      "Wheel: slice. Left drag: cursor. Right drag or Shift and left drag: window and level. Ctrl and wheel: "
      "zoom. Middle drag: move. Double click: fit. Keys: arrows: cursor; Page Up, Page Down: slice; + −: "
      "zoom; Shift and arrows: move; Ctrl and arrows: window and level; 0: fit; M, P, R, I, C: magnitude, "
      "phase, real, imaginary, complex. O, B, L: measure in an ellipse, a box, along a line."));
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
  if (image_) cursor_ = geometry().clamped(cursor_);
  invalidate();
}

void SliceView::setFrame(int frame) {
  if (!image_ || frame < 0 || frame >= image_->frames || frame == frame_) return;
  frame_ = frame;
  invalidate();
}

void SliceView::setCursorIndex(const Index3& index) {
  if (!image_) return;
  const Index3 inside = geometry().clamped(index);
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
  second_.invalidate();
  over_.invalidate();
  update();
}

void SliceView::setMeasurement(Measurement* measurement) {
  if (measureTool_.measurement()) disconnect(measureTool_.measurement(), nullptr, this, nullptr);
  measureTool_.setMeasurement(measurement);
  if (measurement) connect(measurement, &Measurement::changed, this, qOverload<>(&QWidget::update));
}

void SliceView::setSecond(std::shared_ptr<const Image> image, SecondImage kind) {
  const bool fits =
      image_ && isShowable(image.get()) && image->size == image_->size && image->frames == image_->frames;
  second_.set(fits ? std::move(image) : nullptr, kind);
  invalidate();
}

void SliceView::setOver(std::shared_ptr<const OverImage> over) {
  over_.set(std::move(over));
  update();
}

void SliceView::setWipe(double fraction) {
  second_.setWipe(fraction);
  update();
}

// --- on the screen

SliceGeometry SliceView::geometry() const {
  return {image_ ? image_->size : Index3{1, 1, 1}, pixels_, axes_, size(), zoom_, pan_};
}

QRectF SliceView::pictureRect() const {
  return image_ ? geometry().picture() : QRectF();
}

QPointF SliceView::voxelToWidget(const Index3& index) const {
  return image_ ? geometry().toWidget(index) : QPointF();
}

std::optional<Index3> SliceView::widgetToVoxel(const QPointF& point) const {
  return image_ ? geometry().toVoxel(point, cursor_) : std::nullopt;
}

std::array<QString, 4> SliceView::sideTexts() const {
  return image_ ? spokelab::sideTexts(pixels_, axes_) : std::array<QString, 4>();
}

QString SliceView::readout(const Index3& index) const {
  return image_ ? readoutText(*image_, frame_, pixels_, geometry().clamped(index), mode_) : QString();
}

void SliceView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), ImageTheme::background());
  if (!image_) {
    paintEmptyText(painter, rect(), emptyText_);
    return;
  }
  const SliceRequest request{frame_, axes_, slice(), mode_, window(), &ColourMap::sequential(map_)};
  if (picture_.isNull()) picture_ = renderSlice(*image_, request);
  const QRectF picture = pictureRect();
  const bool blend = interpolate_ && mode_ != DisplayMode::phase && mode_ != DisplayMode::complex;
  painter.setRenderHint(QPainter::SmoothPixmapTransform, blend);
  painter.drawImage(picture, picture_);
  second_.paint(painter, picture, request);
  over_.paint(painter, picture, *image_, axes_, frame_, slice());
  measureTool_.paint(painter, geometry(), cursor_);
  if (cursorVisible_) paintCursor(painter, picture, voxelToWidget(cursor_));
  const bool tellsFrame = readoutVisible_ && image_->frames > 1;
  const QString known = QString::fromStdString(image_->frameAxes.text(frame_));
  const QString frameText =
      tellsFrame ? QStringLiteral("   ") +
                       (known.isEmpty() ? tr("frame %1 of %2").arg(frame_ + 1).arg(image_->frames) : known)
                 : QString();
  paintOverlay(painter,
               {sideTexts(), sliceText(plane_, geometry(), cursor_) + frameText, windowText(window(), mode_),
                readoutVisible_ ? readout(hovered_.value_or(cursor_)) : QString(), zoom_},
               rect(), font());
  if (hasFocus()) {
    painter.setPen(ImageTheme::focus());
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void SliceView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::EnabledChange) update();
  QWidget::changeEvent(event);
}

}  // namespace spokelab
