#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/core/candidate_text.h"
#include "widgets/core/plot/plot_keys.h"
#include "widgets/core/tip_at.h"
#include "widgets/profile/runs/run_coordinates.h"
#include "widgets/profile/runs/run_table_model.h"

namespace spokelab {
namespace {

constexpr double clickPixels = 4;  // a press that moves less is a click

}  // namespace

void RunCoordinates::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  pressed_ = event->position();
  pressedAxis_ = axisAt(pressed_);
  moved_.reset();
  if (pressedAxis_ < 0) return;
  framed_ = pressedAxis_;
  const ParallelAxis& of = axes_[std::size_t(pressedAxis_)];
  if (of.brush && of.passes(of.valueAt(placeAt(pressed_.y())))) moved_ = of.brush;
}

// Moves the range if it was pressed inside; else chooses from the press to `place`.
void RunCoordinates::dragTo(const QPointF& place) {
  const ParallelAxis& of = axes_[std::size_t(pressedAxis_)];
  const double from = placeAt(pressed_.y()), to = placeAt(place.y());
  double low = std::min(from, to), high = std::max(from, to);
  if (moved_) {
    low = of.placeOf(moved_->first);
    high = of.placeOf(moved_->second);
    const double by = std::clamp(to - from, std::min(0.0, -low), std::max(0.0, 1 - high));
    low += by;
    high += by;
  }
  setBrush(Axis(pressedAxis_), ParallelAxis::Range(of.valueAt(low), of.valueAt(high)));
}

void RunCoordinates::mouseMoveEvent(QMouseEvent* event) {
  if (pressedAxis_ >= 0 && (event->buttons() & Qt::LeftButton)) {
    if (std::abs(event->position().y() - pressed_.y()) >= clickPixels) dragTo(event->position());
    return;
  }
  setCursor(axisAt(event->position()) >= 0 ? Qt::SizeVerCursor : Qt::ArrowCursor);
  Q_EMIT hovered(rowAt(event->position()));
}

void RunCoordinates::mouseReleaseEvent(QMouseEvent* event) {
  const int axis = std::exchange(pressedAxis_, -1);
  if (event->button() != Qt::LeftButton) return QWidget::mouseReleaseEvent(event);
  const QPointF moved = event->position() - pressed_;
  if (axis >= 0) {
    if (std::abs(moved.y()) < clickPixels && axes_[std::size_t(axis)].brush) setBrush(Axis(axis), {});
    return;
  }
  if (moved.manhattanLength() >= clickPixels) return;
  if (const int row = rowAt(event->position()); row >= 0) Q_EMIT rowPicked(row);
}

void RunCoordinates::mouseDoubleClickEvent(QMouseEvent* event) {
  if (axisAt(event->position()) >= 0) return clearBrushes();
  if (const int row = rowAt(event->position()); row >= 0) Q_EMIT rowChosen(row);
}

void RunCoordinates::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  Q_EMIT hovered(-1);
}

// Picks the line `lines` places further in the order of the framed axis' values. Lines without a
// value come first, as they pass below the axis.
void RunCoordinates::step(int lines) {
  std::vector<const Line*> order;
  for (const Line& line : lines_)
    if (passes(line)) order.push_back(&line);
  if (order.empty()) return;
  const auto at = std::size_t(framed_);
  std::stable_sort(order.begin(), order.end(), [at](const Line* a, const Line* b) {
    const bool known[] = {a->values[at] == a->values[at], b->values[at] == b->values[at]};
    return known[0] && known[1] ? a->values[at] < b->values[at] : known[1] && !known[0];
  });
  const auto now =
      std::find_if(order.begin(), order.end(), [this](const Line* l) { return l->row == current_; });
  const auto next = now == order.end() ? 0
                                       : std::clamp<std::ptrdiff_t>(now - order.begin() + lines, 0,
                                                                    std::ptrdiff_t(order.size()) - 1);
  Q_EMIT rowPicked(order[std::size_t(next)]->row);
}

void RunCoordinates::keyPressEvent(QKeyEvent* event) {
  const PlotKey key = plotKeyOf(*event);
  switch (key) {
    case PlotKey::left:
    case PlotKey::right:
      framed_ = std::clamp(framed_ + (key == PlotKey::right ? 1 : -1), 0, axes - 1);
      describe();
      return redraw();
    case PlotKey::up:
      return step(1);
    case PlotKey::down:
      return step(-1);
    case PlotKey::pick:
      if (current_ >= 0) Q_EMIT rowChosen(current_);
      return;
    case PlotKey::showAll:
      return clearBrushes();
    default:
      QWidget::keyPressEvent(event);
  }
}

QString RunCoordinates::tipAt(const QPoint& place) const {
  if (const int row = rowAt(place); row >= 0)
    return QStringLiteral("<b>%1</b><br>%2")
        .arg(QString::fromStdString(model_.run(row).title()).toHtmlEscaped(),
             candidateDetails(model_.plan(row)));
  if (axisAt(place) >= 0) return tr("Drag to choose a range, click to let all through");
  return {};
}

bool RunCoordinates::event(QEvent* event) {
  return showTipAt(*this, *event, [this](const QPoint& place) { return tipAt(place); }) ||
         QWidget::event(event);
}

void RunCoordinates::describe() {
  const Line* line = lineOf(current_);
  QString text = tr("%1 lines; axis %2").arg(lines_.size()).arg(axes_[std::size_t(framed_)].title);
  if (line) text += QStringLiteral("; ") + candidateTitle(model_.plan(line->row));
  tellReaders(*this, text);
}

}  // namespace spokelab
