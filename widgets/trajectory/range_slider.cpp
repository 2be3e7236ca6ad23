#include "widgets/trajectory/range_slider.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace spokelab {
namespace {

constexpr double handle = 6;      // radius, pixels
constexpr double keySteps = 100;  // of the whole range

}  // namespace

RangeSlider::RangeSlider(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RangeSlider::setBounds(double low, double high) {
  minimum_ = low_ = low;
  maximum_ = high_ = std::max(low, high);
  update();
}

void RangeSlider::setWindow(double low, double high) {
  low_ = std::clamp(low, minimum_, maximum_);
  high_ = std::clamp(high, low_, maximum_);
  update();
}

double RangeSlider::position(double value) const {
  const double span = maximum_ - minimum_;
  return handle + (span > 0 ? (value - minimum_) / span : 0) * (width() - 2 * handle);
}

double RangeSlider::valueAt(double x) const {
  const double length = std::max(1.0, width() - 2 * handle);
  return minimum_ + (x - handle) / length * (maximum_ - minimum_);
}

void RangeSlider::move(Part part, double from, double to) {
  const double by = to - from;
  if (part == Part::low) low_ = std::clamp(low_ + by, minimum_, high_);
  if (part == Part::high) high_ = std::clamp(high_ + by, low_, maximum_);
  if (part == Part::between) {
    const double inside = std::clamp(by, minimum_ - low_, maximum_ - high_);
    low_ += inside;
    high_ += inside;
  }
  update();
}

void RangeSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const double x = event->position().x(), toLow = std::abs(x - position(low_)),
               toHigh = std::abs(x - position(high_));
  // If both handles are at one place, the handle that can move towards the mouse is taken.
  const bool lowNearer = toLow < toHigh || (toLow == toHigh && x < position(low_));
  const bool onHandle = std::min(toLow, toHigh) <= 2 * handle;
  const bool inside = x > position(low_) && x < position(high_);
  part_ = inside && !onHandle ? Part::between : (lowNearer ? Part::low : Part::high);
  grabbed_ = valueAt(x);
}

void RangeSlider::mouseMoveEvent(QMouseEvent* event) {
  if (part_ == Part::none) return;
  const double value = std::clamp(valueAt(event->position().x()), minimum_, maximum_);
  move(part_, grabbed_, value);
  grabbed_ = value;
  Q_EMIT windowMoved(low_, high_);
}

void RangeSlider::mouseReleaseEvent(QMouseEvent*) {
  if (std::exchange(part_, Part::none) != Part::none) Q_EMIT windowEdited(low_, high_);
}

void RangeSlider::keyPressEvent(QKeyEvent* event) {
  const double step = (maximum_ - minimum_) / keySteps;
  const Part part = event->modifiers() & Qt::ShiftModifier ? Part::high : Part::low;
  switch (event->key()) {
    case Qt::Key_Left:
      move(part, 0, -step);
      break;
    case Qt::Key_Right:
      move(part, 0, step);
      break;
    case Qt::Key_Home:
      setWindow(minimum_, maximum_);
      break;
    default:
      return QWidget::keyPressEvent(event);
  }
  Q_EMIT windowEdited(low_, high_);
}

void RangeSlider::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double y = height() / 2.0;
  constexpr double thickness = 3;
  painter.setPen(QPen(palette().mid(), thickness, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(QPointF(handle, y), QPointF(width() - handle, y));
  painter.setPen(QPen(palette().highlight(), thickness, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(lowHandle(), highHandle());
  painter.setPen(hasFocus() ? palette().highlight().color() : palette().mid().color());
  painter.setBrush(palette().buttonText());
  for (const QPointF& at : {lowHandle(), highHandle()}) painter.drawEllipse(at, handle - 1, handle - 1);
}

}  // namespace spokelab
