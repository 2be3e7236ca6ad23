#include "widgets/image/volume/opacity_editor.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "widgets/core/image_theme.h"
#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr double inset = 9, radius = 4.5, reach = 10;  // pixels
constexpr double keyStep = 0.02;
constexpr std::size_t fewest = 2;

}  // namespace

OpacityEditor::OpacityEditor(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("opacityEditor"));
  setAccessibleName(tr("Opacity over the window"));
  setToolTip(tr("Drag a point; a double click adds one, a right click removes it"));
  setFocusPolicy(Qt::StrongFocus);
  setPoints(VolumeStyle().opacity);
}

void OpacityEditor::setPoints(const std::vector<OpacityPoint>& points) {
  if (points.size() < fewest || (dragging_ && points == points_)) return;
  points_ = points;
  choose(std::clamp(chosen_, 0, int(points_.size()) - 1));
}

QRectF OpacityEditor::room() const {
  return QRectF(rect()).adjusted(inset, inset, -inset, -inset);
}

QPointF OpacityEditor::positionOf(int point) const {
  const OpacityPoint& p = points_[std::size_t(point)];
  const QRectF r = room();
  return {r.left() + p.value * r.width(), r.bottom() - std::sqrt(p.opacity) * r.height()};
}

OpacityPoint OpacityEditor::valueAt(const QPointF& position) const {
  const QRectF r = room();
  const double up = std::clamp((r.bottom() - position.y()) / r.height(), 0.0, 1.0);
  return {std::clamp((position.x() - r.left()) / r.width(), 0.0, 1.0), up * up};
}

int OpacityEditor::pointAt(const QPointF& position) const {
  for (int i = 0; i < int(points_.size()); ++i) {
    const QPointF d = positionOf(i) - position;
    if (std::hypot(d.x(), d.y()) <= reach) return i;
  }
  return -1;
}

void OpacityEditor::choose(int point) {
  chosen_ = point;
  const OpacityPoint& p = points_[std::size_t(point)];
  setAccessibleDescription(tr("point %1 of %2: value %3, opacity %4")
                               .arg(point + 1)
                               .arg(points_.size())
                               .arg(fixedLabel(p.value, 2))
                               .arg(fixedLabel(p.opacity, 3)));
  update();
}

// Between its neighbours; the ends stay at 0 and 1.
void OpacityEditor::move(int point, OpacityPoint to) {
  const auto i = std::size_t(point);
  if (i == 0 || i + 1 == points_.size())
    to.value = points_[i].value;
  else
    to.value = std::clamp(to.value, points_[i - 1].value, points_[i + 1].value);
  to.opacity = std::clamp(to.opacity, 0.0, 1.0);
  if (to == points_[i]) return;
  points_[i] = to;
  choose(point);
  Q_EMIT changed(points_);
}

void OpacityEditor::remove(int point) {
  if (point <= 0 || point + 1 >= int(points_.size())) return;
  points_.erase(points_.begin() + point);
  choose(point - 1);
  Q_EMIT changed(points_);
}

void OpacityEditor::mousePressEvent(QMouseEvent* event) {
  const int at = pointAt(event->position());
  if (at < 0) return;
  if (event->button() == Qt::RightButton) return remove(at);
  choose(at);
  dragging_ = event->button() == Qt::LeftButton;
}

void OpacityEditor::mouseMoveEvent(QMouseEvent* event) {
  if (dragging_ && (event->buttons() & Qt::LeftButton)) move(chosen_, valueAt(event->position()));
}

void OpacityEditor::mouseReleaseEvent(QMouseEvent*) {
  dragging_ = false;
}

void OpacityEditor::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || pointAt(event->position()) >= 0) return;
  const OpacityPoint added = valueAt(event->position());
  const auto place = std::upper_bound(points_.begin(), points_.end(), added,
                                      [](const auto& a, const auto& b) { return a.value < b.value; });
  const int index = int(place - points_.begin());
  if (index == 0 || index == int(points_.size())) return;
  points_.insert(place, added);
  choose(index);
  Q_EMIT changed(points_);
}

void OpacityEditor::keyPressEvent(QKeyEvent* event) {
  const OpacityPoint& p = points_[std::size_t(chosen_)];
  const double root = std::sqrt(p.opacity);
  const auto up = [&](double step) {
    const double moved = std::clamp(root + step, 0.0, 1.0);
    move(chosen_, {p.value, moved * moved});
  };
  switch (event->key()) {
    case Qt::Key_Left:
      return move(chosen_, {p.value - keyStep, p.opacity});
    case Qt::Key_Right:
      return move(chosen_, {p.value + keyStep, p.opacity});
    case Qt::Key_Up:
      return up(keyStep);
    case Qt::Key_Down:
      return up(-keyStep);
    case Qt::Key_Delete:
      return remove(chosen_);
    default:
      QWidget::keyPressEvent(event);
  }
}

bool OpacityEditor::focusNextPrevChild(bool next) {
  const int to = chosen_ + (next ? 1 : -1);
  if (to < 0 || to >= int(points_.size())) return QWidget::focusNextPrevChild(next);
  choose(to);
  return true;
}

void OpacityEditor::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF r = room();
  painter.fillRect(rect(), ImageTheme::background());
  QLinearGradient window(r.topLeft(), r.topRight());
  window.setColorAt(0, Qt::black);
  window.setColorAt(1, Qt::white);
  painter.fillRect(QRectF(r.left(), r.bottom() + 2, r.width(), inset - 4), window);
  QPolygonF curve;
  for (int i = 0; i < int(points_.size()); ++i) curve << positionOf(i);
  QPolygonF area = curve;
  area << r.bottomRight() << r.bottomLeft();
  QColor fill = ImageTheme::letters();
  fill.setAlpha(50);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawPolygon(area);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(ImageTheme::letters(), 1.5));
  painter.drawPolyline(curve);
  for (int i = 0; i < int(points_.size()); ++i) {
    const bool here = i == chosen_ && hasFocus();
    painter.setPen(QPen(ImageTheme::text(), here ? 2 : 1));
    painter.setBrush(i == chosen_ ? ImageTheme::letters() : ImageTheme::background());
    painter.drawEllipse(positionOf(i), radius, radius);
  }
}

}  // namespace spokelab
