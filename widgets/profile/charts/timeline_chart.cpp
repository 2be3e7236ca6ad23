#include "widgets/profile/charts/timeline_chart.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "widgets/core/number_text.h"
#include "widgets/core/screen_theme.h"

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

}  // namespace

TimelineChart::TimelineChart(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(120);
  setMouseTracking(true);
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
  showRange(0, timeline_ && timeline_->seconds() > 0 ? timeline_->seconds() : 1);
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
  const QString kind = i.kind == WorkKind::spread           ? tr("spread into the grid")
                       : i.kind == WorkKind::spreadIntoCopy ? tr("spread into a private copy")
                                                            : tr("private copies added to the grid");
  int dims = 3;
  while (dims > 1 && timeline_->partitions[std::size_t(dims - 1)] == 1) --dims;
  QStringList place, size;
  for (int d = 0; d < dims; ++d) {
    place << QString::number(i.position[std::size_t(d)]);
    size << QString::number(i.cells[std::size_t(d)]);
  }
  return tr("<b>%1</b><br>partition %2 at (%3), %4 cells<br>%5 samples, turn %6, thread %7<br>"
            "%8 ms, from %9 ms on")
      .arg(kind)
      .arg(i.partition)
      .arg(place.join(QStringLiteral(", ")), size.join(QStringLiteral(" × ")))
      .arg(i.points)
      .arg(i.turn)
      .arg(i.thread)
      .arg(shortLabel((i.end - i.begin) / milli, 3))
      .arg(shortLabel(i.begin / milli, 4));
}

bool TimelineChart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int interval = intervalAt(help->pos());
  if (interval < 0)
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), textOf(interval), this);
  return true;
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
    return;
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
}

void TimelineChart::wheelEvent(QWheelEvent* event) {
  if (!timeline_) return;
  const double all = timeline_->seconds(), at = secondAt(event->position().x());
  const double factor = std::pow(zoomStep, -event->angleDelta().y() / notch);
  const double range = std::clamp((end_ - begin_) * factor, all / maxZoom, all);
  const double share = (at - begin_) / (end_ - begin_);
  const double begin = std::clamp(at - share * range, 0.0, all - range);
  showRange(begin, begin + range);
  event->accept();
}

void TimelineChart::mousePressEvent(QMouseEvent* event) {
  dragged_ = event->position().x();
}

void TimelineChart::mouseMoveEvent(QMouseEvent* event) {
  if (!timeline_ || !(event->buttons() & Qt::LeftButton)) return;
  const double x = event->position().x(), range = end_ - begin_;
  const double moved = begin_ + secondAt(dragged_) - secondAt(x);
  const double begin = std::clamp(moved, 0.0, std::max(0.0, timeline_->seconds() - range));
  dragged_ = x;
  showRange(begin, begin + range);
}

void TimelineChart::mouseDoubleClickEvent(QMouseEvent*) {
  if (timeline_) showRange(0, timeline_->seconds());
}

}  // namespace spokelab
