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
namespace {

constexpr double minZoom = 0.2, maxZoom = 64;
constexpr double zoomPerNotch = 1.2;     // a wheel notch
constexpr int wheelNotch = 120;          // QWheelEvent::angleDelta of one notch
constexpr double windowSensitivity = 2;  // fitting windows, of a drag across the view
constexpr double minWindowShare = 1e-4;  // of the fitting window

}  // namespace

SliceView::SliceView(Plane plane, QWidget* parent)
    : QWidget(parent), plane_(plane), map_(QStringLiteral("grey")) {
  setPlane(plane);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setEmptyText(tr("No image yet"));
  followScreenTheme(this, [this] { invalidate(); });
  setWhatsThis(
      tr("Wheel: slice. Left drag: cursor. Right drag or Shift and left drag: window and level. "
         "Ctrl and wheel: zoom. Middle drag: move. Double click: fit. "
         "Keys M, P, R, I, C: magnitude, phase, real, imaginary, complex. O, B, L: measure in an ellipse, a "
         "box, along a line."));
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
  update();
}

void SliceView::setMeasurement(Measurement* measurement) {
  if (measureTool_.measurement()) disconnect(measureTool_.measurement(), nullptr, this, nullptr);
  measureTool_.setMeasurement(measurement);
  if (measurement) connect(measurement, &Measurement::changed, this, qOverload<>(&QWidget::update));
}

void SliceView::setSecond(std::shared_ptr<const Image> image, SecondImage how) {
  const bool fits =
      image_ && isShowable(image.get()) && image->size == image_->size && image->frames == image_->frames;
  second_.set(fits ? std::move(image) : nullptr, how);
  invalidate();
}

void SliceView::setWipe(double fraction) {
  second_.setWipe(fraction);
  update();
}

// --- on the screen ----------------------------------------------------------------------------------

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
  measureTool_.paint(painter, geometry(), cursor_);
  if (cursorVisible_) paintCursor(painter, picture, voxelToWidget(cursor_));
  const bool tellsFrame = readoutVisible_ && image_->frames > 1;
  const QString frameText =
      tellsFrame ? QStringLiteral("   ") + tr("frame %1 / %2").arg(frame_).arg(image_->frames - 1)
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

// --- the user ---------------------------------------------------------------------------------------

void SliceView::mousePressEvent(QMouseEvent* event) {
  if (!image_ || drag_ != Drag::none) return;
  last_ = event->position();
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  if (event->button() == Qt::RightButton || (event->button() == Qt::LeftButton && shift)) {
    drag_ = Drag::window;
  } else if (event->button() == Qt::MiddleButton) {
    drag_ = Drag::pan;
  } else if (event->button() == Qt::LeftButton && second_.isAtLine(last_, pictureRect())) {
    drag_ = Drag::wipe;
  } else if (event->button() == Qt::LeftButton && measureTool_.isOn()) {
    if (const auto voxel = widgetToVoxel(last_)) {
      drag_ = Drag::measure;
      measureTool_.begin(*voxel);
    }
  } else if (event->button() == Qt::LeftButton) {
    drag_ = Drag::cursor;
    if (const auto voxel = widgetToVoxel(last_)) moveCursor(*voxel);
  }
}

void SliceView::mouseMoveEvent(QMouseEvent* event) {
  if (!image_) return;
  const QPointF at = event->position(), delta = at - last_;
  last_ = at;
  switch (drag_) {
    case Drag::cursor:
    case Drag::measure: {
      const auto voxel = geometry().toNearestVoxel(at, cursor_);
      if (!voxel) break;
      if (drag_ == Drag::cursor)
        moveCursor(*voxel);
      else
        measureTool_.dragTo(*voxel, geometry(), cursor_);
      break;
    }
    case Drag::wipe:
      second_.dragLine(at, pictureRect());
      update();
      Q_EMIT wipeMoved(second_.wipe());
      break;
    case Drag::window:
      dragWindow(delta);
      break;
    case Drag::pan:
      pan_ += delta;
      update();
      Q_EMIT viewChanged(zoom_, pan_);
      break;
    case Drag::none:
      break;
  }
  hoverAt(at);
}

void SliceView::mouseReleaseEvent(QMouseEvent*) {
  drag_ = Drag::none;
}

void SliceView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!image_ || event->button() != Qt::LeftButton) return;
  drag_ = Drag::none;
  resetView();
  setWindows(fitting_);
  Q_EMIT viewChanged(zoom_, pan_);
  Q_EMIT windowResetRequested();
}

void SliceView::hoverAt(const QPointF& point) {
  hovered_ = widgetToVoxel(point);
  if (readoutVisible_) update();
  Q_EMIT hovered(hovered_ ? readout(*hovered_) : QString());
}

void SliceView::leaveEvent(QEvent*) {
  hovered_.reset();
  if (readoutVisible_) update();
  Q_EMIT hovered(QString());
}

// Sideways is the width, upwards raises the level. Phase has no window.
void SliceView::dragWindow(const QPointF& delta) {
  if (mode_ == DisplayMode::phase) return;
  const double unit = windowSensitivity * fitting_.of(mode_).width;
  DisplayWindow& window = windows_.of(mode_);
  const double before = window.width;
  window.width = std::max(window.width + unit * delta.x() / std::max(1, width()),
                          minWindowShare * fitting_.of(mode_).width);
  window.level -= unit * delta.y() / std::max(1, height());
  if (window.width == before && delta.y() == 0) return;
  invalidate();
  Q_EMIT windowChanged(window);
}

void SliceView::zoomAbout(const QPointF& point, double factor) {
  const double zoom = std::clamp(zoom_ * factor, minZoom, maxZoom);
  const QPointF centre = QPointF(width() / 2.0, height() / 2.0) + pan_;
  pan_ += (point - centre) * (1 - zoom / zoom_);
  zoom_ = zoom;
  update();
  Q_EMIT viewChanged(zoom_, pan_);
}

void SliceView::wheelEvent(QWheelEvent* event) {
  if (!image_) return;
  event->accept();
  const int turned = event->angleDelta().y();
  if (event->modifiers() & Qt::ControlModifier) {
    zoomAbout(event->position(), std::pow(zoomPerNotch, double(turned) / wheelNotch));
    return;
  }
  wheelRemainder_ += turned;
  const int notches = wheelRemainder_ / wheelNotch;
  wheelRemainder_ -= notches * wheelNotch;
  if (notches) {
    scroll(notches);
    hoverAt(event->position());
  }
}

void SliceView::scroll(std::int64_t slices) {
  Index3 index = cursor_;
  index[std::size_t(axes_.through)] += slices;
  moveCursor(geometry().clamped(index));
}

void SliceView::keyPressEvent(QKeyEvent* event) {
  if (const auto mode = modeOfKey(event->key()); mode && event->modifiers() == Qt::NoModifier) {
    if (*mode != mode_) {
      setMode(*mode);
      Q_EMIT modeChanged(mode_);
    }
    return;
  }
  if (!image_) return QWidget::keyPressEvent(event);
  if (event->modifiers() == Qt::NoModifier) {
    if (measureTool_.takeKey(event->key(), geometry(), cursor_)) return;
    if (second_.takeKey(event->key())) {
      update();
      Q_EMIT wipeMoved(second_.wipe());
      return;
    }
  }
  const auto step = [&](int axis, bool flip, int direction) {
    Index3 index = cursor_;
    index[std::size_t(axis)] += flip ? -direction : direction;
    moveCursor(geometry().clamped(index));
  };
  switch (event->key()) {
    case Qt::Key_Left:
      return step(axes_.across, axes_.flipAcross, -1);
    case Qt::Key_Right:
      return step(axes_.across, axes_.flipAcross, 1);
    case Qt::Key_Up:
      return step(axes_.down, axes_.flipDown, -1);
    case Qt::Key_Down:
      return step(axes_.down, axes_.flipDown, 1);
    case Qt::Key_PageUp:
      return scroll(1);
    case Qt::Key_PageDown:
      return scroll(-1);
    default:
      QWidget::keyPressEvent(event);
  }
}

void SliceView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::EnabledChange) update();
  QWidget::changeEvent(event);
}

}  // namespace spokelab
