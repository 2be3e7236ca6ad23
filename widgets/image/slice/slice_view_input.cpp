// Mouse, wheel and keys in a slice.
#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include "widgets/core/plot/plot_keys.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr double minZoom = 0.2, maxZoom = 64;
constexpr double zoomPerNotch = 1.2;     // a wheel notch
constexpr int wheelNotch = 120;          // QWheelEvent::angleDelta of one notch
constexpr double windowSensitivity = 2;  // fitting windows, of a drag across the view
constexpr double minWindowShare = 1e-4;  // of the fitting window
constexpr int keyWindowPixels = 10;      // of a drag that does the same to the window as a key

}  // namespace

void SliceView::mousePressEvent(QMouseEvent* event) {
  if (!image_ || drag_ != Drag::none) return;
  last_ = event->position();
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  if (event->button() == Qt::RightButton || (event->button() == Qt::LeftButton && shift)) {
    drag_ = Drag::window;
  } else if (event->button() == Qt::MiddleButton) {
    drag_ = Drag::pan;
  } else if (event->button() == Qt::LeftButton && (event->modifiers() & Qt::ControlModifier)) {
    if (const auto voxel = widgetToVoxel(last_)) {
      moveCursor(*voxel);
      Q_EMIT pixelAsked(*voxel);
    }
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
      moveBy(delta);
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
  fitAll();
}

void SliceView::fitAll() {
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

void SliceView::moveBy(const QPointF& pixels) {
  pan_ += pixels;
  update();
  Q_EMIT viewChanged(zoom_, pan_);
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
  const PlotKey key = plotKeyOf(*event);
  if (const QPoint arrow = arrowOf(key); !arrow.isNull()) {
    if (event->modifiers() & Qt::ShiftModifier) return moveBy(QPointF(arrow) * keyMovePixels);
    if (event->modifiers() & Qt::ControlModifier) return dragWindow(QPointF(arrow) * keyWindowPixels);
    Index3 index = cursor_;
    index[std::size_t(axes_.across)] += axes_.flipAcross ? -arrow.x() : arrow.x();
    index[std::size_t(axes_.down)] += axes_.flipDown ? -arrow.y() : arrow.y();
    return moveCursor(geometry().clamped(index));
  }
  switch (key) {
    case PlotKey::previous:
      return scroll(1);
    case PlotKey::next:
      return scroll(-1);
    case PlotKey::zoomIn:
      return zoomAbout(voxelToWidget(cursor_), keyZoom);
    case PlotKey::zoomOut:
      return zoomAbout(voxelToWidget(cursor_), 1 / keyZoom);
    case PlotKey::showAll:
      return fitAll();
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace spokelab
