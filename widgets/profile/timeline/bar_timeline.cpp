#include "widgets/profile/timeline/bar_timeline.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QTextDocumentFragment>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "widgets/core/number_text.h"
#include "widgets/core/plot/plot_keys.h"
#include "widgets/core/screen_theme.h"
#include "widgets/core/tip_at.h"

namespace spokelab {
namespace {

constexpr int labelWidth = 76, axisHeight = 34, margin = 8, labelPadding = 6;
constexpr double tallestLane = 44, laneFill = 0.78;
constexpr double milli = 1e-3;
constexpr double maxZoom = 1e4;
constexpr double zoomStep = 1.25;  // a notch of the wheel
constexpr double notch = 120;
constexpr int ticksWanted = 8;
constexpr double minLabelHeight = 10, minOutlined = 3;  // pixels of a bar

// 1, 2 or 5 times a power of ten.
double tickStep(double range, int tickCount) {
  const double rough = range / tickCount, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double part = rough / power;
  return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

}  // namespace

BarTimeline::BarTimeline(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(120);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  followScreenTheme(this, [this] {
    theme_ = ChartTheme::onScreen();
    update();
  });
}

void BarTimeline::setBars(std::vector<Row> rows, std::vector<Bar> bars, double seconds) {
  rows_ = std::move(rows);
  bars_ = std::move(bars);
  seconds_ = seconds;
  framed_ = -1;
  showAll();
}

int BarTimeline::lanes() const {
  int count = 0;
  for (const Row& row : rows_) count += row.lanes;
  return std::max(count, 1);
}

void BarTimeline::showRange(double begin, double end) {
  begin_ = begin;
  end_ = end;
  update();
}

QRectF BarTimeline::plotArea() const {
  const double height = std::min<double>(this->height() - axisHeight - margin, lanes() * tallestLane);
  return {double(labelWidth), double(margin), std::max(1.0, double(width() - labelWidth - margin)),
          std::max(1.0, height)};
}

double BarTimeline::xOf(double second) const {
  const QRectF area = plotArea();
  return area.left() + (second - begin_) / (end_ - begin_) * area.width();
}

double BarTimeline::secondAt(double x) const {
  const QRectF area = plotArea();
  return begin_ + (x - area.left()) / area.width() * (end_ - begin_);
}

QRectF BarTimeline::barOf(int interval) const {
  const Bar& bar = bars_[std::size_t(interval)];
  const QRectF area = plotArea();
  const double lane = area.height() / lanes(), left = xOf(bar.begin);
  return {left, area.top() + lane * (bar.lane + (1 - laneFill) / 2), std::max(1.0, xOf(bar.end) - left),
          lane * laneFill};
}

int BarTimeline::intervalAt(const QPoint& position) const {
  if (isEmpty() || !plotArea().contains(position)) return -1;
  for (int i = int(bars_.size()) - 1; i >= 0; --i)
    if (barOf(i).contains(position)) return i;
  return -1;
}

bool BarTimeline::event(QEvent* event) {
  const auto tip = [this](const QPoint& place) {
    const int interval = intervalAt(place);
    return interval < 0 ? QString() : textOf(interval);
  };
  return showTipAt(*this, *event, tip) || QWidget::event(event);
}

void BarTimeline::paintAxis(QPainter& painter) const {
  const QRectF area = plotArea();
  const double step = tickStep((end_ - begin_) / milli, ticksWanted) * milli;
  const QFontMetrics metrics(painter.font());
  for (double t = std::ceil(begin_ / step) * step; t <= end_ * (1 + 1e-9); t += step) {
    const double x = xOf(t);
    painter.setPen(QPen(theme_.grid, 0));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    painter.setPen(theme_.foreground);
    const QString text = shortLabel(std::abs(t) < step / 2 ? 0.0 : t / milli, 5);
    painter.drawText(QRectF(x - labelWidth, area.bottom() + 2, 2.0 * labelWidth, metrics.height()),
                     Qt::AlignHCenter, text);
  }
  painter.setPen(theme_.muted);
  painter.drawText(
      QRectF(area.left(), area.bottom() + 2 + metrics.height() - 2, area.width(), metrics.height()),
      Qt::AlignHCenter, tr("time (ms)"));
}

void BarTimeline::paintRowNames(QPainter& painter) const {
  const QRectF area = plotArea();
  const double lane = area.height() / lanes();
  const QFontMetrics metrics(painter.font());
  painter.setPen(theme_.foreground);
  int first = 0;
  double nextTop = -1;  // names that do not fit are left out
  for (const Row& row : rows_) {
    const QRectF place(0, area.top() + lane * first, labelWidth - labelPadding, lane * row.lanes);
    const double top = place.center().y() - metrics.height() / 2.0;
    if (top >= nextTop) {
      painter.drawText(place.adjusted(0, -margin, 0, margin), Qt::AlignRight | Qt::AlignVCenter, row.name);
      nextTop = top + metrics.height() - 2;
    }
    first += row.lanes;
  }
}

// Draws only the first bar in a pixel of a lane: a trace may have hundreds of thousands.
void BarTimeline::paintBars(QPainter& painter) const {
  std::vector<double> drawnTo(std::size_t(lanes()), -std::numeric_limits<double>::infinity());
  const QFontMetrics metrics(painter.font());
  for (int i = 0; i < int(bars_.size()); ++i) {
    const Bar& bar = bars_[std::size_t(i)];
    if (bar.begin > end_) break;
    if (bar.end < begin_) continue;
    const QRectF rect = barOf(i);
    double& drawn = drawnTo[std::size_t(bar.lane)];
    if (rect.right() <= drawn) continue;
    drawn = std::floor(rect.right()) + (rect.width() <= 1 ? 1 : 0);
    const QColor colour = colourOfBar(i);
    painter.fillRect(rect, colour);
    if (rect.width() <= minOutlined) continue;  // neighbours stay apart
    painter.setPen(QPen(colour.darker(160), 0));
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    const QString label = rect.height() >= minLabelHeight ? labelOf(i) : QString();
    const QRectF room = rect.intersected(plotArea());
    if (label.isEmpty() || metrics.horizontalAdvance(label) + labelPadding > room.width()) continue;
    painter.setPen(ChartTheme::textOn(colour));
    painter.drawText(room, Qt::AlignCenter, label);
  }
}

void BarTimeline::paintFrame(QPainter& painter) const {
  if (framed_ < 0 || !hasFocus()) return;
  constexpr double penPixels = 2;
  painter.setPen(QPen(theme_.selected, penPixels));
  painter.drawRect(barOf(framed_).adjusted(-penPixels, -penPixels, penPixels, penPixels));
}

void BarTimeline::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_.background);
  QFont font = this->font();
  font.setPointSize(8);
  painter.setFont(font);
  if (isEmpty()) {
    painter.setPen(theme_.muted);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, promise());
  } else {
    paintAxis(painter);
    paintRowNames(painter);
    painter.setClipRect(plotArea());
    paintBars(painter);
    paintFrame(painter);
  }
  painter.end();
  paintFocusFrame(*this);
}

void BarTimeline::zoom(double factor, double at) {
  const double range = std::clamp((end_ - begin_) * factor, seconds_ / maxZoom, seconds_);
  const double share = (at - begin_) / (end_ - begin_);
  const double begin = std::clamp(at - share * range, 0.0, seconds_ - range);
  showRange(begin, begin + range);
}

void BarTimeline::moveTo(double wanted) {
  const double range = end_ - begin_;
  const double begin = std::clamp(wanted, 0.0, std::max(0.0, seconds_ - range));
  showRange(begin, begin + range);
}

void BarTimeline::showAll() {
  showRange(0, !isEmpty() && seconds_ > 0 ? seconds_ : 1);
}

void BarTimeline::wheelEvent(QWheelEvent* event) {
  if (isEmpty()) return;
  zoom(std::pow(zoomStep, -event->angleDelta().y() / notch), secondAt(event->position().x()));
  event->accept();
}

void BarTimeline::mousePressEvent(QMouseEvent* event) {
  dragged_ = event->position().x();
}

void BarTimeline::mouseMoveEvent(QMouseEvent* event) {
  if (isEmpty() || !(event->buttons() & Qt::LeftButton)) return;
  const double x = event->position().x();
  const double moved = begin_ + secondAt(dragged_) - secondAt(x);
  dragged_ = x;
  moveTo(moved);
}

void BarTimeline::mouseDoubleClickEvent(QMouseEvent*) {
  if (!isEmpty()) showAll();
}

void BarTimeline::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](const QString& text, const char* name, auto&& act) {
    menu->addAction(text, this, act)->setObjectName(QString::fromLatin1(name));
  };
  add(tr("Copy as a picture"), "copy-picture", [this] { QGuiApplication::clipboard()->setPixmap(grab()); });
  add(tr("Copy as numbers"), "copy-numbers", [this] { QGuiApplication::clipboard()->setText(numbers()); });
  menu->addSeparator();
  add(tr("Show all"), "show-all", [this] { showAll(); });
  menu->popup(event->globalPos());
}

int BarTimeline::longest() const {
  return int(std::max_element(bars_.begin(), bars_.end(),
                              [](const Bar& a, const Bar& b) { return a.end - a.begin < b.end - b.begin; }) -
             bars_.begin());
}

// The next bar of this lane, or the bar nearest in time in the next lane with bars.
int BarTimeline::neighbour(int right, int down) const {
  const auto middle = [](const Bar& i) { return (i.begin + i.end) / 2; };
  const Bar& from = bars_[std::size_t(framed_)];
  int nearest = framed_;
  std::pair<double, double> least{HUGE_VAL, HUGE_VAL};  // lanes, then seconds
  for (int i = 0; i < int(bars_.size()); ++i) {
    const Bar& other = bars_[std::size_t(i)];
    const double lanesDown = double(down) * (other.lane - from.lane);
    const double ahead = right * (middle(other) - middle(from));
    if (down == 0 ? other.lane != from.lane || ahead <= 0 : lanesDown <= 0) continue;
    const std::pair distance(std::max(lanesDown, 0.0), std::abs(middle(other) - middle(from)));
    if (distance >= least) continue;
    least = distance;
    nearest = i;
  }
  return nearest;
}

// Seen, ringed, and told to screen readers.
void BarTimeline::frame(int interval) {
  framed_ = interval;
  const Bar& bar = bars_[std::size_t(interval)];
  if (bar.end < begin_ || bar.begin > end_) moveTo((bar.begin + bar.end - (end_ - begin_)) / 2);
  tellReaders(*this, QTextDocumentFragment::fromHtml(textOf(interval)).toPlainText());
  update();
}

void BarTimeline::keyPressEvent(QKeyEvent* event) {
  const PlotKey key = plotKeyOf(*event);
  if (bars_.empty() || key == PlotKey::none || key == PlotKey::pick) return QWidget::keyPressEvent(event);
  const int right = key == PlotKey::right ? 1 : key == PlotKey::left ? -1 : 0;
  const int down = key == PlotKey::down ? 1 : key == PlotKey::up ? -1 : 0;
  const double middle = (begin_ + end_) / 2;
  if (right != 0 && movesRange(*event))
    return moveTo(begin_ + right * keyMovePixels / plotArea().width() * (end_ - begin_));
  switch (key) {
    case PlotKey::zoomIn:
      return zoom(1 / keyZoom, middle);
    case PlotKey::zoomOut:
      return zoom(keyZoom, middle);
    case PlotKey::showAll:
      return showAll();
    case PlotKey::copy:
      return QGuiApplication::clipboard()->setText(numbers());
    default:
      break;
  }
  if (framed_ < 0 || key == PlotKey::home) return frame(longest());
  const bool ordered = key == PlotKey::next || key == PlotKey::previous;
  if (!ordered) return frame(neighbour(right, down));
  frame(std::clamp(framed_ + (key == PlotKey::next ? 1 : -1), 0, int(bars_.size()) - 1));
}

void BarTimeline::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  if (bars_.empty() || event->reason() == Qt::MouseFocusReason) return;
  frame(framed_ >= 0 ? framed_ : longest());
}

}  // namespace spokelab
