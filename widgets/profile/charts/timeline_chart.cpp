#include "widgets/profile/charts/timeline_chart.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QTextDocumentFragment>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "widgets/core/number_text.h"
#include "widgets/core/plot/plot_keys.h"
#include "widgets/core/screen_theme.h"
#include "widgets/core/tip_at.h"

namespace spokelab {
namespace {

constexpr int labelWidth = 70, axisHeight = 34, margin = 8;
constexpr double tallestRow = 44, rowFill = 0.78;
constexpr double milli = 1e-3;
constexpr double maxZoom = 1e4;
constexpr double zoomStep = 1.25;  // a notch of the wheel
constexpr double notch = 120;
constexpr int ticksWanted = 8;

// 1, 2 or 5 times a power of ten.
double tickStep(double range, int wanted) {
  const double rough = range / wanted, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double part = rough / power;
  return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

QString kindName(WorkKind kind) {
  return kind == WorkKind::spread           ? TimelineChart::tr("spread into the grid")
         : kind == WorkKind::spreadIntoCopy ? TimelineChart::tr("spread into a private copy")
                                            : TimelineChart::tr("private copies added to the grid");
}

}  // namespace

TimelineChart::TimelineChart(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(120);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("What each thread spread when"));
  setAttribute(Qt::WA_OpaquePaintEvent);
  followScreenTheme(this, [this] {
    theme_ = ChartTheme::onScreen();
    update();
  });
}

QColor TimelineChart::colourOf(WorkKind kind, const ChartTheme& theme) {
  return kind == WorkKind::spread           ? theme.interpolation
         : kind == WorkKind::spreadIntoCopy ? theme.fft
                                            : theme.chosen;
}

void TimelineChart::setTimeline(std::shared_ptr<const Timeline> timeline) {
  timeline_ = std::move(timeline);
  rows_ = 1;
  if (timeline_)
    for (const WorkInterval& i : timeline_->intervals) rows_ = std::max(rows_, i.thread + 1);
  framed_ = -1;
  showAll();
}

void TimelineChart::showRange(double begin, double end) {
  begin_ = begin;
  end_ = end;
  update();
}

QRectF TimelineChart::plotArea() const {
  const double height = std::min<double>(this->height() - axisHeight - margin, rows_ * tallestRow);
  return {double(labelWidth), double(margin), std::max(1.0, double(width() - labelWidth - margin)),
          std::max(1.0, height)};
}

double TimelineChart::xOf(double second) const {
  const QRectF area = plotArea();
  return area.left() + (second - begin_) / (end_ - begin_) * area.width();
}

double TimelineChart::secondAt(double x) const {
  const QRectF area = plotArea();
  return begin_ + (x - area.left()) / area.width() * (end_ - begin_);
}

QRectF TimelineChart::barOf(int interval) const {
  const WorkInterval& i = timeline_->intervals[std::size_t(interval)];
  const QRectF area = plotArea();
  const double row = area.height() / rows_, left = xOf(i.begin);
  return {left, area.top() + row * (i.thread + (1 - rowFill) / 2), std::max(1.0, xOf(i.end) - left),
          row * rowFill};
}

int TimelineChart::intervalAt(const QPoint& position) const {
  if (!timeline_ || !plotArea().contains(position)) return -1;
  for (int i = int(timeline_->intervals.size()) - 1; i >= 0; --i)
    if (barOf(i).contains(position)) return i;
  return -1;
}

QString TimelineChart::textOf(int interval) const {
  const WorkInterval& i = timeline_->intervals[std::size_t(interval)];
  int dims = 3;
  while (dims > 1 && timeline_->partitions[std::size_t(dims - 1)] == 1) --dims;
  QStringList place, size;
  for (int d = 0; d < dims; ++d) {
    place << QString::number(i.position[std::size_t(d)]);
    size << QString::number(i.cells[std::size_t(d)]);
  }
  return tr("<b>%1</b><br>partition %2 at (%3), %4 cells<br>%5 samples, turn %6, thread %7<br>"
            "%8, from %9 ms on")
      .arg(kindName(i.kind))
      .arg(i.partition)
      .arg(place.join(QStringLiteral(", ")), size.join(QStringLiteral(" × ")))
      .arg(i.points)
      .arg(i.turn)
      .arg(i.thread)
      .arg(secondsLabel(i.end - i.begin), numberLabel(i.begin / milli, 3));
}

bool TimelineChart::event(QEvent* event) {
  const auto tip = [this](const QPoint& place) {
    const int interval = intervalAt(place);
    return interval < 0 ? QString() : textOf(interval);
  };
  return showTipAt(*this, *event, tip) || QWidget::event(event);
}

void TimelineChart::paintAxis(QPainter& painter) const {
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

void TimelineChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_.background);
  QFont font = this->font();
  font.setPointSize(8);
  painter.setFont(font);
  if (!timeline_) {
    painter.setPen(theme_.muted);
    painter.drawText(rect(), Qt::AlignCenter, tr("No time line yet: record one"));
    painter.end();
    return paintFocusFrame(*this);
  }
  paintAxis(painter);
  const QRectF area = plotArea();
  const double row = area.height() / rows_;
  painter.setPen(theme_.foreground);
  for (int thread = 0; thread < rows_; ++thread)
    painter.drawText(QRectF(0, area.top() + row * thread, labelWidth - 6, row),
                     Qt::AlignRight | Qt::AlignVCenter, tr("thread %1").arg(thread));
  painter.setClipRect(area);
  for (int i = 0; i < int(timeline_->intervals.size()); ++i) {
    const WorkInterval& interval = timeline_->intervals[std::size_t(i)];
    if (interval.end < begin_ || interval.begin > end_) continue;
    const QRectF bar = barOf(i);
    const QColor colour = colourOf(interval.kind, theme_);
    painter.fillRect(bar, colour);
    if (bar.width() > 3) {  // neighbours stay apart
      painter.setPen(QPen(colour.darker(160), 0));
      painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    }
  }
  paintFrame(painter);
  painter.end();
  paintFocusFrame(*this);
}

// --- ranges ---

void TimelineChart::zoom(double factor, double at) {
  const double all = timeline_->seconds();
  const double range = std::clamp((end_ - begin_) * factor, all / maxZoom, all);
  const double share = (at - begin_) / (end_ - begin_);
  const double begin = std::clamp(at - share * range, 0.0, all - range);
  showRange(begin, begin + range);
}

void TimelineChart::moveTo(double wanted) {
  const double range = end_ - begin_;
  const double begin = std::clamp(wanted, 0.0, std::max(0.0, timeline_->seconds() - range));
  showRange(begin, begin + range);
}

void TimelineChart::showAll() {
  showRange(0, timeline_ && timeline_->seconds() > 0 ? timeline_->seconds() : 1);
}

void TimelineChart::wheelEvent(QWheelEvent* event) {
  if (!timeline_) return;
  zoom(std::pow(zoomStep, -event->angleDelta().y() / notch), secondAt(event->position().x()));
  event->accept();
}

void TimelineChart::mousePressEvent(QMouseEvent* event) {
  dragged_ = event->position().x();
}

void TimelineChart::mouseMoveEvent(QMouseEvent* event) {
  if (!timeline_ || !(event->buttons() & Qt::LeftButton)) return;
  const double x = event->position().x();
  const double moved = begin_ + secondAt(dragged_) - secondAt(x);
  dragged_ = x;
  moveTo(moved);
}

void TimelineChart::mouseDoubleClickEvent(QMouseEvent*) {
  if (timeline_) showAll();
}

// --- keys ---

QString TimelineChart::numbers() const {
  QString text = QStringLiteral("thread\tkind\tpartition\tsamples\tbegin (ms)\tend (ms)\n");
  constexpr int digits = 9;
  if (timeline_)
    for (const WorkInterval& i : timeline_->intervals)
      text += QStringLiteral("%1\t%2\t%3\t%4\t%5\t%6\n")
                  .arg(i.thread)
                  .arg(kindName(i.kind))
                  .arg(i.partition)
                  .arg(i.points)
                  .arg(i.begin / milli, 0, 'g', digits)
                  .arg(i.end / milli, 0, 'g', digits);
  return text;
}

void TimelineChart::contextMenuEvent(QContextMenuEvent* event) {
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

int TimelineChart::longest() const {
  const auto& all = timeline_->intervals;
  return int(std::max_element(all.begin(), all.end(),
                              [](const WorkInterval& a, const WorkInterval& b) {
                                return a.end - a.begin < b.end - b.begin;
                              }) -
             all.begin());
}

// By their beginning, whatever the row.
int TimelineChart::inOrder(int step) const {
  const auto& all = timeline_->intervals;
  std::vector<int> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return all[std::size_t(a)].begin < all[std::size_t(b)].begin; });
  const auto here = std::find(order.begin(), order.end(), framed_) - order.begin();
  return order[std::size_t(std::clamp<std::ptrdiff_t>(here + step, 0, std::ptrdiff_t(order.size()) - 1))];
}

// The next bar of this row, or the one that lies nearest in time in the next row that has any.
int TimelineChart::neighbour(int right, int down) const {
  const auto& all = timeline_->intervals;
  const auto middle = [](const WorkInterval& i) { return (i.begin + i.end) / 2; };
  const WorkInterval& from = all[std::size_t(framed_)];
  int nearest = framed_;
  std::pair<double, double> least{HUGE_VAL, HUGE_VAL};  // rows, then seconds
  for (int i = 0; i < int(all.size()); ++i) {
    const WorkInterval& other = all[std::size_t(i)];
    const double rows = double(down) * (other.thread - from.thread);
    const double ahead = right * (middle(other) - middle(from));
    if (down == 0 ? other.thread != from.thread || ahead <= 0 : rows <= 0) continue;
    const std::pair distance(std::max(rows, 0.0), std::abs(middle(other) - middle(from)));
    if (distance >= least) continue;
    least = distance;
    nearest = i;
  }
  return nearest;
}

// Seen, ringed, and told to screen readers.
void TimelineChart::frame(int interval) {
  framed_ = interval;
  const WorkInterval& bar = timeline_->intervals[std::size_t(interval)];
  if (bar.end < begin_ || bar.begin > end_) moveTo((bar.begin + bar.end - (end_ - begin_)) / 2);
  tellReaders(*this, QTextDocumentFragment::fromHtml(textOf(interval)).toPlainText());
  update();
}

void TimelineChart::keyPressEvent(QKeyEvent* event) {
  const PlotKey key = plotKeyOf(*event);
  if (!timeline_ || timeline_->intervals.empty() || key == PlotKey::none || key == PlotKey::pick)
    return QWidget::keyPressEvent(event);
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
  frame(ordered ? inOrder(key == PlotKey::next ? 1 : -1) : neighbour(right, down));
}

void TimelineChart::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  if (!timeline_ || timeline_->intervals.empty() || event->reason() == Qt::MouseFocusReason) return;
  frame(framed_ >= 0 ? framed_ : longest());
}

void TimelineChart::paintFrame(QPainter& painter) const {
  if (framed_ < 0 || !hasFocus()) return;
  constexpr double penPixels = 2;
  painter.setPen(QPen(theme_.selected, penPixels));
  painter.drawRect(barOf(framed_).adjusted(-penPixels, -penPixels, penPixels, penPixels));
}

}  // namespace spokelab
