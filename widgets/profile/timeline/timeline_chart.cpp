#include "widgets/profile/timeline/timeline_chart.h"

#include <algorithm>
#include <utility>

#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr double lineUnit = 1e-3;

QString kindName(WorkKind kind) {
  return kind == WorkKind::spread           ? TimelineChart::tr("spread into the grid")
         : kind == WorkKind::spreadIntoCopy ? TimelineChart::tr("spread into a private copy")
                                            : TimelineChart::tr("private copies added to the grid");
}

}  // namespace

TimelineChart::TimelineChart(QWidget* parent) : BarTimeline(parent) {
  setAccessibleName(tr("Work of each thread over time"));
}

QColor TimelineChart::colourOf(WorkKind kind, const ChartTheme& theme) {
  return kind == WorkKind::spread           ? theme.interpolation
         : kind == WorkKind::spreadIntoCopy ? theme.fft
                                            : theme.chosen;
}

QColor TimelineChart::colourOfBar(int interval) const {
  return colourOf(timeline_->intervals[std::size_t(interval)].kind, theme());
}

QString TimelineChart::promise() const {
  return tr("No time line yet: record one");
}

void TimelineChart::setTimeline(std::shared_ptr<const Timeline> timeline) {
  timeline_ = std::move(timeline);
  if (!timeline_) return setBars({}, {}, 0);
  int threads = 1;
  std::vector<Bar> bars;
  for (const WorkInterval& i : timeline_->intervals) {
    threads = std::max(threads, i.thread + 1);
    bars.push_back({i.thread, i.begin, i.end});
  }
  std::vector<Row> rows;
  for (int thread = 0; thread < threads; ++thread) rows.push_back({tr("thread %1").arg(thread), 1});
  setBars(std::move(rows), std::move(bars), timeline_->seconds());
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
      .arg(secondsLabel(i.end - i.begin), numberLabel(i.begin / lineUnit, 3));
}

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
                  .arg(i.begin / lineUnit, 0, 'g', digits)
                  .arg(i.end / lineUnit, 0, 'g', digits);
  return text;
}

}  // namespace spokelab
