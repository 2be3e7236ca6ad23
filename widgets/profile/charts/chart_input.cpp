// Mouse and keys in a chart.
#include <QClipboard>
#include <QHelpEvent>
#include <QTextDocumentFragment>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/core/plot/axis_titles.h"
#include "widgets/core/plot/plot_keys.h"
#include "widgets/profile/charts/chart.h"

namespace spokelab {
namespace {

constexpr int maxClickPixels = 4;  // pixels a click may move and still be one

}  // namespace

bool Chart::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const int index = candidateAt(help->pos());
    const QString text = index >= 0 ? detailsOf(index) : axisTitles_->elidedAt(help->pos());
    QToolTip::showText(help->globalPos(), text, this);  // an empty one hides what is shown
    return true;
  }
  return QCustomPlot::event(event);
}

void Chart::mousePressEvent(QMouseEvent* event) {
  pressed_ = moved_ = event->pos();
  moving_ = event->button() == Qt::MiddleButton ||
            (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
  if (event->button() != Qt::LeftButton || moving_) return;
  brushing_ = event->modifiers().testFlag(Qt::ControlModifier);
  setSelectionRectMode(brushing_ ? QCP::srmCustom : QCP::srmZoom);
  QCustomPlot::mousePressEvent(event);
}

void Chart::mouseReleaseEvent(QMouseEvent* event) {
  if (std::exchange(moving_, false)) return;
  if (event->button() != Qt::LeftButton) return;
  const bool dragged = (event->pos() - pressed_).manhattanLength() > maxClickPixels;
  if (!dragged) selectionRect()->cancel();
  zoomed_ |= dragged && !brushing_;  // before the zoom is drawn
  QCustomPlot::mouseReleaseEvent(event);
  const bool brushed = std::exchange(brushing_, false);
  if (dragged) return;
  const int index = candidateAt(event->pos());
  if (brushed)
    toggleMark(index);
  else if (index >= 0)
    Q_EMIT candidateSelected(index);
}

void Chart::mouseMoveEvent(QMouseEvent* event) {
  if (moving_) {
    move(event->pos() - moved_);
    moved_ = event->pos();
    return;
  }
  QCustomPlot::mouseMoveEvent(event);
  if (event->buttons() != Qt::NoButton) return;
  const int candidate = candidateAt(event->pos());
  setCursor(candidate >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  tellPointed(candidate);
}

void Chart::move(const QPoint& by) {
  const auto shifted = [](const QCPAxis& axis, int pixels) {
    const double low = axis.coordToPixel(axis.range().lower), high = axis.coordToPixel(axis.range().upper);
    return QCPRange(axis.pixelToCoord(low - pixels), axis.pixelToCoord(high - pixels));
  };
  xAxis->setRange(shifted(*xAxis, by.x()));
  yAxis->setRange(shifted(*yAxis, by.y()));
  zoomed_ = true;
  replot(QCustomPlot::rpQueuedReplot);
}

void Chart::mouseDoubleClickEvent(QMouseEvent* event) {
  const int candidate = candidateAt(event->pos());
  if (event->button() != Qt::LeftButton || candidate < 0) return showAll();
  Q_EMIT candidateChosen(candidate);
}

void Chart::showAll() {
  zoomed_ = false;
  refresh();
}

// Without the focus, the wheel scrolls the chart's parent.
void Chart::wheelEvent(QWheelEvent* event) {
  if (!hasFocus()) return event->ignore();
  zoomed_ = true;  // before the zoom is drawn
  QCustomPlot::wheelEvent(event);
}

void Chart::leaveEvent(QEvent* event) {
  QCustomPlot::leaveEvent(event);
  tellPointed(hasFocus() ? framed() : -1);
}

void Chart::tellPointed(int candidate) {
  if (candidate == told_) return;
  told_ = candidate;
  Q_EMIT pointed(candidate);
}

// The corners as they were dragged.
void Chart::brush(const QRect& dragged) {
  if (!brushing_) return;
  const QRect area = dragged.normalized();
  std::vector<int> inside;
  for (const Spot& spot : spots_) {
    const QPointF at(xAxis->coordToPixel(spot.x), yAxis->coordToPixel(spot.y));
    if (QRectF(area).contains(at) && axisRect()->rect().contains(at.toPoint()))
      inside.push_back(spot.candidate);
  }
  std::sort(inside.begin(), inside.end());
  Q_EMIT brushed(inside);
}

// -1: no plan, and no mark is left.
void Chart::toggleMark(int candidate) {
  std::vector<int> next = candidate < 0 ? std::vector<int>() : marked_;
  const auto place = std::lower_bound(next.begin(), next.end(), candidate);
  if (candidate >= 0) {
    if (place != next.end() && *place == candidate)
      next.erase(place);
    else
      next.insert(place, candidate);
  }
  Q_EMIT brushed(next);
}

void Chart::setPlace(const std::optional<PlanPlace>& place) {
  if (place == place_) return;
  place_ = place;
  drawPlace();
  layer(placeLayer)->replot();
}

// A chart without plans has no axes to be on.
void Chart::drawPlace() {
  if (!place_ || spots_.empty()) return placeMark_.hide();
  placeMark_.show(placeOf(*place_), placeText(*place_), theme_);
}

void Chart::keyPressEvent(QKeyEvent* event) {
  const bool shift = movesRange(*event);
  const auto towards = [&](int right, int down) {
    if (shift)
      move({-right * keyMovePixels, -down * keyMovePixels});
    else
      frame(neighbour(right, down));
  };
  switch (plotKeyOf(*event)) {
    case PlotKey::left:
      return towards(-1, 0);
    case PlotKey::right:
      return towards(1, 0);
    case PlotKey::up:
      return towards(0, -1);
    case PlotKey::down:
      return towards(0, 1);
    case PlotKey::previous:
      return frame(inOrder(-1));
    case PlotKey::next:
      return frame(inOrder(1));
    case PlotKey::home:
      return frame(firstFramed(true));
    case PlotKey::zoomIn:
      return zoom(1 / keyZoom);
    case PlotKey::zoomOut:
      return zoom(keyZoom);
    case PlotKey::showAll:
      return showAll();
    case PlotKey::copy:
      return QGuiApplication::clipboard()->setText(numbers());
    case PlotKey::pick:
      if (framed() < 0) return;
      if (event->modifiers().testFlag(Qt::ControlModifier)) return toggleMark(framed());
      event->key() == Qt::Key_Space ? Q_EMIT candidateSelected(framed()) : Q_EMIT candidateChosen(framed());
      return;
    case PlotKey::none:
      break;
  }
  if (event->key() == Qt::Key_Escape && !marked_.empty()) return toggleMark(-1);
  QCustomPlot::keyPressEvent(event);
}

void Chart::zoom(double factor) {
  for (QCPAxis* axis : {xAxis, yAxis}) axis->scaleRange(factor);
  zoomed_ = true;
  replot(QCustomPlot::rpQueuedReplot);
}

// The plan that the keys begin with: the shown one, the tuner's choice, else the first.
int Chart::firstFramed(bool choiceFirst) const {
  const auto isDrawn = [this](int candidate) { return candidate >= 0 && !positionOf(candidate).isNull(); };
  const int first = choiceFirst ? data_.best : data_.selected, second = choiceFirst ? -1 : data_.best;
  if (isDrawn(first)) return first;
  if (isDrawn(second)) return second;
  return framed_ >= 0 || spots_.empty() ? framed_ : spots_.front().candidate;
}

// The nearest mark in this direction; marks aside of it count as farther away.
int Chart::neighbour(int right, int down) const {
  constexpr double aside = 2;
  const QPoint from = positionOf(framed_);
  if (framed_ < 0 || from.isNull()) return firstFramed(false);
  int nearest = framed_;
  double nearestDistance = HUGE_VAL;
  for (const Spot& spot : spots_) {
    const QPoint by = positionOf(spot.candidate) - from;
    const int ahead = right * by.x() + down * by.y();
    const double distance = ahead + aside * (std::abs(right * by.y()) + std::abs(down * by.x()));
    if (ahead <= 0 || distance >= nearestDistance) continue;
    nearest = spot.candidate;
    nearestDistance = distance;
  }
  return nearest;
}

// The order is from left to right, and from top to bottom for points above one another.
int Chart::inOrder(int step) const {
  std::vector<std::pair<std::pair<int, int>, int>> order;
  for (const Spot& spot : spots_) {
    const QPoint at = positionOf(spot.candidate);
    order.push_back({{at.x(), at.y()}, spot.candidate});
  }
  std::sort(order.begin(), order.end());
  const auto here =
      std::find_if(order.begin(), order.end(), [this](const auto& place) { return place.second == framed_; });
  if (here == order.end()) return firstFramed(false);
  const auto last = std::ptrdiff_t(order.size()) - 1;
  return order[std::size_t(std::clamp<std::ptrdiff_t>(here - order.begin() + step, 0, last))].second;
}

// Ringed here and, as a mouse that points at it, in the other charts; told to screen readers.
void Chart::frame(int candidate) {
  if (candidate < 0 || !framesSpots()) return;
  framed_ = candidate;
  setPointed(candidate);
  tellReaders(*this, QTextDocumentFragment::fromHtml(detailsOf(candidate)).toPlainText());
  tellPointed(candidate);
}

void Chart::focusInEvent(QFocusEvent* event) {
  QCustomPlot::focusInEvent(event);
  update();
  if (framesSpots() && event->reason() != Qt::MouseFocusReason) frame(firstFramed(false));
}

void Chart::focusOutEvent(QFocusEvent* event) {
  QCustomPlot::focusOutEvent(event);
  update();
  if (!framesSpots()) return;
  setPointed(-1);
  tellPointed(-1);
}

void Chart::paintEvent(QPaintEvent* event) {
  QCustomPlot::paintEvent(event);
  paintFocusFrame(*this);
}

}  // namespace spokelab
