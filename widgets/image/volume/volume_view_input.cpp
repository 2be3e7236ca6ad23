// Mouse, wheel and keys of the volume view.
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include "widgets/core/plot/plot_keys.h"
#include "widgets/image/volume/volume_host.h"
#include "widgets/image/volume/volume_scene.h"
#include "widgets/image/volume/volume_view.h"

namespace spokelab {
namespace {

constexpr double degreesPerPixel = 0.5, degreesPerKey = 5;
constexpr double zoomPerNotch = 1.15;  // a wheel notch
constexpr double wheelNotch = 120;     // QWheelEvent::angleDelta of one notch

}  // namespace

void VolumeView::moveBy(const QPointF& pixels) {
  startMoving();
  scene_->pan(pixels.x(), pixels.y(), height());
  scheduleRender();
}

void VolumeView::zoomBy(double factor) {
  startMoving();
  scene_->zoom(factor);
  scheduleRender();
}

void VolumeView::mousePressEvent(QMouseEvent* event) {
  last_ = event->position();
}

void VolumeView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF delta = event->position() - last_;
  last_ = event->position();
  if (event->buttons() & Qt::LeftButton) {
    // The front follows the mouse: a drag to the right turns it to the right.
    turn(-degreesPerPixel * delta.x(), degreesPerPixel * delta.y());
  } else if (event->buttons() & Qt::MiddleButton) {
    moveBy(delta);
  }
}

void VolumeView::mouseDoubleClickEvent(QMouseEvent*) {
  resetCamera();
}

void VolumeView::wheelEvent(QWheelEvent* event) {
  zoomBy(std::pow(zoomPerNotch, event->angleDelta().y() / wheelNotch));
  event->accept();
}

// Arrows turn the volume as a drag does: its front follows the arrow.
void VolumeView::keyPressEvent(QKeyEvent* event) {
  const PlotKey key = plotKeyOf(*event);
  if (const QPoint arrow = arrowOf(key); !arrow.isNull()) {
    if (movesRange(*event)) return moveBy(QPointF(arrow) * keyMovePixels);
    return turn(-degreesPerKey * arrow.x(), degreesPerKey * arrow.y());
  }
  switch (key) {
    case PlotKey::zoomIn:
      return zoomBy(keyZoom);
    case PlotKey::zoomOut:
      return zoomBy(1 / keyZoom);
    case PlotKey::home:
    case PlotKey::showAll:
      return resetCamera();
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace spokelab
