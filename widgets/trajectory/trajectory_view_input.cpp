// Mouse, wheel and keys of the trajectory view, and the shots that they pick.
#include <cmath>
#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include "engine/core/number_list.h"
#include "widgets/core/plot/plot_keys.h"
#include "widgets/trajectory/trajectory_pictures.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

constexpr double degreesPerPixel = 0.5, degreesPerKey = 5;
constexpr double zoomPerNotch = 1.2, wheelNotch = 120;  // QWheelEvent::angleDelta of one notch
constexpr double maxClickPixels = 4;                    // that the mouse may move within a click

}  // namespace

void TrajectoryView::mousePressEvent(QMouseEvent* event) {
  pressed_ = last_ = event->position();
  pickedBefore_.reset();
  dragging_ = event->button();
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  if (trajectory_ && dragging_ == Qt::LeftButton && shift) band_ = QRectF(pressed_, pressed_);
}

void TrajectoryView::mouseMoveEvent(QMouseEvent* event) {
  if (!trajectory_) return;
  if (dragging_ == Qt::NoButton) return hover(event->position());
  const QPointF delta = event->position() - last_;
  last_ = event->position();
  if (band_) {
    band_ = QRectF(pressed_, last_).normalized();
    return update();
  }
  pictures_->startMoving();
  if (dragging_ == Qt::LeftButton && solid()) {
    turn(-degreesPerPixel * delta.x(), degreesPerPixel * delta.y());
  } else {
    moveBy(delta);
  }
}

void TrajectoryView::mouseReleaseEvent(QMouseEvent* event) {
  const bool left = std::exchange(dragging_, Qt::NoButton) == Qt::LeftButton;
  const std::optional<QRectF> band = std::exchange(band_, std::nullopt);
  if (!left || !trajectory_) return;
  update();
  if ((event->position() - pressed_).manhattanLength() > maxClickPixels) {
    if (band)
      applyPick(
          picks_.pickInside(*trajectory_, projection(), *band, event->modifiers() & Qt::ControlModifier));
    return;
  }
  if (const auto sample = sampleAt(event->position())) {
    look(*sample);
    pick(int(shotOf(*trajectory_, *sample)), event->modifiers());
  }
}

// The first click of a double click may have picked a shot: undo that pick.
void TrajectoryView::mouseDoubleClickEvent(QMouseEvent*) {
  resetView();
  if (pickedBefore_) tellPicked(*pickedBefore_);
  pickedBefore_.reset();
}

void TrajectoryView::wheelEvent(QWheelEvent* event) {
  event->accept();
  zoomAbout(event->position(), std::pow(zoomPerNotch, event->angleDelta().y() / wheelNotch));
}

void TrajectoryView::zoomAbout(const QPointF& point, double factor) {
  camera_.zoomAbout(point, factor, plotArea());
  pictures_->startMoving();
  invalidate();
}

void TrajectoryView::moveBy(const QPointF& pixels) {
  camera_.pan += pixels;
  invalidate();
}

void TrajectoryView::keyPressEvent(QKeyEvent* event) {
  const PlotKey key = plotKeyOf(*event);
  if (const QPoint arrow = arrowOf(key); !arrow.isNull()) {
    if (!solid() || movesRange(*event)) return moveBy(QPointF(arrow) * keyMovePixels);
    return turn(degreesPerKey * arrow.x(), -degreesPerKey * arrow.y());
  }
  if (key == PlotKey::zoomIn || key == PlotKey::zoomOut)
    return zoomAbout(plotArea().center(), key == PlotKey::zoomIn ? keyZoom : 1 / keyZoom);
  switch (event->key()) {
    case Qt::Key_Home:
    case Qt::Key_0:
      return resetView();
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
      return stepShot(event->key() == Qt::Key_PageDown ? 1 : -1, event->modifiers());
    case Qt::Key_Space:
      if (hovered_ >= 0) pick(int(shotOf(*trajectory_, hovered_)), event->modifiers() | Qt::ControlModifier);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (hovered_ >= 0) pick(int(shotOf(*trajectory_, hovered_)), event->modifiers());
      return;
    case Qt::Key_A:
      if (!(event->modifiers() & Qt::ControlModifier)) return QWidget::keyPressEvent(event);
      if (trajectory_) tellPicked({});
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void TrajectoryView::hover(const QPointF& point) {
  const std::int64_t sample = sampleAt(point).value_or(-1);
  if (sample == hovered_) return;
  hovered_ = sample;
  update();
  const std::int64_t shot = sample < 0 ? -1 : shotOf(*trajectory_, sample);
  const std::int64_t inShot = sample < 0 ? -1 : sample - trajectory_->shotOffsets[std::size_t(shot)];
  Q_EMIT sampleHovered(shot, inShot);
}

void TrajectoryView::leaveEvent(QEvent*) {
  if (hovered_ < 0) return;
  hovered_ = -1;
  update();
  Q_EMIT sampleHovered(-1, -1);
}

// The next shot, or the one before; with Shift it is picked along with those since the last pick.
void TrajectoryView::stepShot(int by, Qt::KeyboardModifiers modifiers) {
  if (!trajectory_) return;
  const std::int64_t last = trajectory_->shots() - 1;
  std::int64_t shot = hovered_ < 0 ? (by > 0 ? -1 : last + 1) : shotOf(*trajectory_, hovered_);
  do {
    shot += by;
    if (shot < 0 || shot > last) return;
  } while (trajectory_->shotOffsets[std::size_t(shot)] == trajectory_->shotOffsets[std::size_t(shot) + 1]);
  hovered_ = trajectory_->shotOffsets[std::size_t(shot)];
  update();
  Q_EMIT sampleHovered(shot, 0);
  look(hovered_);
  if (modifiers & Qt::ShiftModifier) pick(int(shot), modifiers);
}

void TrajectoryView::look(std::int64_t sample) {
  lookedAt_ = sample;
  const std::int64_t shot = shotOf(*trajectory_, sample);
  Q_EMIT sampleLookedAt(shot, sample - trajectory_->shotOffsets[std::size_t(shot)]);
}

void TrajectoryView::toggleShot(int shot) {
  if (trajectory_ && shot >= 0 && shot < trajectory_->shots()) pick(shot, Qt::ControlModifier);
}

void TrajectoryView::pick(int shot, Qt::KeyboardModifiers modifiers) {
  const bool toggles = modifiers & Qt::ControlModifier, extends = modifiers & Qt::ShiftModifier;
  const PickMode mode = toggles && extends ? PickMode::toggleRange
                        : toggles          ? PickMode::toggle
                        : extends          ? PickMode::range
                                           : PickMode::alone;
  applyPick(picks_.pick(*trajectory_, shot, mode));
}

void TrajectoryView::applyPick(const ShotPicks::Request& request) {
  if (!request) return;
  pickedBefore_ = picks_.shots();
  tellPicked(*request);
}

void TrajectoryView::tellPicked(const std::vector<int>& shots) {
  if (shots == picks_.shots()) return;
  picks_.set(shots);
  Q_EMIT shotsPicked(QString::fromStdString(numberListText(shots)));
}

}  // namespace spokelab
