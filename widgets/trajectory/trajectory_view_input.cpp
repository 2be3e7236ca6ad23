// What mouse and keys do in the trajectory view: turn, move, zoom, hover, and pick shots.
#include <algorithm>
#include <cmath>
#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QTimer>
#include <QWheelEvent>

#include "engine/core/number_list.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

constexpr double degreesPerPixel = 0.5, keyDegrees = 5;
constexpr double smallestZoom = 0.3, largestZoom = 200, zoomStep = 1.2;
constexpr double wheelNotch = 120;              // QWheelEvent::angleDelta of one notch
constexpr double clickReach = 4;                // pixels that the mouse may move within a click
constexpr std::int64_t mostInside = 2'000'000;  // samples that a rectangle looks at

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
  startMoving();
  if (dragging_ == Qt::LeftButton && solid()) {
    turn(-degreesPerPixel * delta.x(), degreesPerPixel * delta.y());
  } else {
    pan_ += delta;
    invalidate();
  }
}

void TrajectoryView::mouseReleaseEvent(QMouseEvent* event) {
  const bool left = std::exchange(dragging_, Qt::NoButton) == Qt::LeftButton;
  const std::optional<QRectF> band = std::exchange(band_, std::nullopt);
  if (!left || !trajectory_) return;
  update();
  if ((event->position() - pressed_).manhattanLength() > clickReach) {
    if (band) pickInside(*band, event->modifiers() & Qt::ControlModifier);
    return;
  }
  if (const auto sample = sampleAt(event->position()))
    pick(int(shotOf(*trajectory_, *sample)), event->modifiers());
}

// Its first click picked a shot, perhaps: that is taken back.
void TrajectoryView::mouseDoubleClickEvent(QMouseEvent*) {
  resetView();
  if (pickedBefore_) tellPicked(*pickedBefore_);
  pickedBefore_.reset();
}

void TrajectoryView::wheelEvent(QWheelEvent* event) {
  event->accept();
  const double factor = std::pow(zoomStep, event->angleDelta().y() / wheelNotch);
  const double zoom = std::clamp(zoom_ * factor, smallestZoom, largestZoom);
  pan_ += (event->position() - projection().centre) * (1 - zoom / zoom_);
  zoom_ = zoom;
  startMoving();
  invalidate();
}

void TrajectoryView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return turn(-keyDegrees, 0);
    case Qt::Key_Right:
      return turn(keyDegrees, 0);
    case Qt::Key_Up:
      return turn(0, keyDegrees);
    case Qt::Key_Down:
      return turn(0, -keyDegrees);
    case Qt::Key_Home:
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

// Large trajectories are thinned until the view has been still for a moment.
void TrajectoryView::startMoving() {
  if (!trajectory_ || trajectory_->samples() <= movingPoints) return;
  coarse_ = true;
  settle_->start();
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

// --- picking ----------------------------------------------------------------------------------------

void TrajectoryView::setSelection(const std::vector<int>& shots, std::vector<char> chosen) {
  picked_ = shots;
  const bool fits = trajectory_ && std::int64_t(chosen.size()) == trajectory_->samples();
  chosen_ = fits ? std::move(chosen) : std::vector<char>();
  invalidate();
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
  if (modifiers & Qt::ShiftModifier) pick(int(shot), modifiers);
}

// Alone; with Control taken in or out; with Shift all from the last one picked.
void TrajectoryView::pick(int shot, Qt::KeyboardModifiers modifiers) {
  const bool toggles = modifiers & Qt::ControlModifier, extends = modifiers & Qt::ShiftModifier;
  std::vector<char> in = picks();
  const bool was = in[std::size_t(shot)];
  if (!toggles) std::fill(in.begin(), in.end(), 0);
  const int from = extends && anchor_ >= 0 ? std::min(anchor_, int(in.size()) - 1) : shot;
  for (int s = std::min(from, shot); s <= std::max(from, shot); ++s)
    in[std::size_t(s)] = toggles && !extends ? !was : 1;
  if (!extends) anchor_ = shot;
  take(in);
}

void TrajectoryView::pickInside(const QRectF& band, bool adds) {
  const Trajectory& t = *trajectory_;
  std::vector<char> in = adds && !picked_.empty() ? picks() : std::vector<char>(std::size_t(t.shots()), 0);
  const KspaceProjection p = projection();
  const std::int64_t step = std::max<std::int64_t>(1, t.samples() / mostInside);
  for (std::int64_t s = 0; s < t.shots(); ++s)
    for (std::int64_t i = t.shotOffsets[std::size_t(s)]; i < t.shotOffsets[std::size_t(s) + 1]; i += step)
      if (band.contains(p.point(kspacePoint(t, i)))) {
        in[std::size_t(s)] = 1;
        break;
      }
  take(in);
}

// One for each shot: whether it is picked.
std::vector<char> TrajectoryView::picks() const {
  std::vector<char> in(std::size_t(trajectory_->shots()), picked_.empty() ? 1 : 0);
  for (const int s : picked_)
    if (s >= 0 && s < int(in.size())) in[std::size_t(s)] = 1;
  return in;
}

// None at all cannot be meant: nothing changes then.
void TrajectoryView::take(const std::vector<char>& in) {
  std::vector<int> shots;
  for (int s = 0; s < int(in.size()); ++s)
    if (in[std::size_t(s)]) shots.push_back(s);
  if (shots.empty()) return;
  if (shots.size() == in.size()) shots.clear();
  pickedBefore_ = picked_;
  tellPicked(shots);
}

void TrajectoryView::tellPicked(const std::vector<int>& shots) {
  if (shots == picked_) return;
  picked_ = shots;
  Q_EMIT shotsPicked(QString::fromStdString(numberListText(shots)));
}

}  // namespace spokelab
