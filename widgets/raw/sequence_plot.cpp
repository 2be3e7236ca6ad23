#include "widgets/raw/sequence_plot.h"

#include <cmath>
#include <cstdlib>

#include "widgets/core/plot/plot_keys.h"

namespace spokelab {
namespace {

constexpr int maxPixelsOfClick = 4;
constexpr double notch = 120;  // QWheelEvent::angleDelta of one

}  // namespace

void SequencePlot::mousePressEvent(QMouseEvent* event) {
  pressed_ = last_ = event->pos().x();
  drags_ = false;
}

void SequencePlot::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return;
  const int x = event->pos().x();
  drags_ = drags_ || std::abs(x - pressed_) > maxPixelsOfClick;
  if (!drags_) return;
  moved(x - last_);
  last_ = x;
}

void SequencePlot::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && !drags_) clicked(event->pos().x());
}

void SequencePlot::mouseDoubleClickEvent(QMouseEvent*) {
}

// Without the focus, the wheel scrolls the plot's parent.
void SequencePlot::wheelEvent(QWheelEvent* event) {
  if (!hasFocus()) return event->ignore();
  event->accept();
  zoomed(std::pow(keyZoom, event->angleDelta().y() / notch), int(event->position().x()));
}

void SequencePlot::keyPressEvent(QKeyEvent* event) {
  if (!keyed(*event)) QCustomPlot::keyPressEvent(event);
}

void SequencePlot::paintEvent(QPaintEvent* event) {
  QCustomPlot::paintEvent(event);
  paintFocusFrame(*this);
}

}  // namespace spokelab
