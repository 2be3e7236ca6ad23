// What mouse, wheel and keys do to a slice view.
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include "widgets/image/display/measurement.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr double smallestZoom = 0.2, largestZoom = 64;
constexpr double zoomStep = 1.2;          // a wheel notch
constexpr int wheelNotch = 120;           // QWheelEvent::angleDelta of one notch
constexpr double windowSensitivity = 2;   // a drag across the view changes by this many fitting windows
constexpr double narrowestWindow = 1e-4;  // of the fitting window

std::optional<DisplayMode> modeOfKey(int key) {
  switch (key) {
    case Qt::Key_M:
      return DisplayMode::magnitude;
    case Qt::Key_P:
      return DisplayMode::phase;
    case Qt::Key_R:
      return DisplayMode::real;
    case Qt::Key_I:
      return DisplayMode::imaginary;
    case Qt::Key_C:
      return DisplayMode::complex;
    default:
      return std::nullopt;
  }
}

}  // namespace

// --- the user ---------------------------------------------------------------------------------------

void SliceView::mousePressEvent(QMouseEvent* event) {
  if (!image_ || drag_ != Drag::none) return;
  last_ = event->position();
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  if (event->button() == Qt::RightButton || (event->button() == Qt::LeftButton && shift)) {
    drag_ = Drag::window;
  } else if (event->button() == Qt::MiddleButton) {
    drag_ = Drag::pan;
  } else if (event->button() == Qt::LeftButton && atWipe(last_)) {
    drag_ = Drag::wipe;
  } else if (event->button() == Qt::LeftButton && measures()) {
    if (const auto voxel = widgetToVoxel(last_)) {
      drag_ = Drag::measure;
      measureFrom_ = *voxel;
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
      const QRectF picture = pictureRect();
      constexpr double inside = 1e-3;  // keeps the edge itself within the last voxel
      const QPointF held(std::clamp(at.x(), picture.left(), picture.right() - inside),
                         std::clamp(at.y(), picture.top(), picture.bottom() - inside));
      const auto voxel = widgetToVoxel(held);
      if (!voxel) break;
      if (drag_ == Drag::cursor)
        moveCursor(*voxel);
      else if (measurement_)
        measure(measureFrom_, *voxel);
      break;
    }
    case Drag::wipe:
      dragWipe(at);
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
                          narrowestWindow * fitting_.of(mode_).width);
  window.level -= unit * delta.y() / std::max(1, height());
  if (window.width == before && delta.y() == 0) return;
  invalidate();
  Q_EMIT windowChanged(window);
}

void SliceView::zoomAbout(const QPointF& point, double factor) {
  const double zoom = std::clamp(zoom_ * factor, smallestZoom, largestZoom);
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
    zoomAbout(event->position(), std::pow(zoomStep, double(turned) / wheelNotch));
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
  moveCursor(clamped(index));
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
  if (event->modifiers() == Qt::NoModifier && (measureKey(event->key()) || wipeKey(event->key()))) return;
  const auto step = [&](int axis, bool flip, int direction) {
    Index3 index = cursor_;
    index[std::size_t(axis)] += flip ? -direction : direction;
    moveCursor(clamped(index));
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
