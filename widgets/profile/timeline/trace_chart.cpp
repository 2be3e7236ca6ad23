#include "widgets/profile/timeline/trace_chart.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/core/measure/trace_json.h"
#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr double traceUnit = 1e-3;

QString nameOf(const TraceSpan& span) {
  return QString::fromStdString(span.name);
}

// The lane within its row of each span: how many spans that are not over yet hold it.
std::vector<int> depths(const Trace& trace, std::map<int, int>& lanes) {
  std::map<int, std::vector<double>> open;  // ends, by track
  std::vector<int> depth;
  for (const TraceSpan& span : trace.spans) {
    std::vector<double>& ends = open[span.track];
    while (!ends.empty() && ends.back() <= span.begin) ends.pop_back();
    depth.push_back(int(ends.size()));
    ends.push_back(span.end);
    lanes[span.track] = std::max(lanes[span.track], int(ends.size()));
  }
  return depth;
}

}  // namespace

TraceChart::TraceChart(QWidget* parent) : BarTimeline(parent) {
  setAccessibleName(tr("Parts of the job over time"));
}

void TraceChart::setTrace(std::shared_ptr<const Trace> trace) {
  trace_ = std::move(trace);
  if (!trace_) return setBars({}, {}, 0);
  std::map<int, int> lanes{{0, 1}};  // by track
  const std::vector<int> depth = depths(*trace_, lanes);
  std::vector<Row> rows;
  std::map<int, int> first;
  int lane = 0;
  for (const auto& [track, count] : lanes) {
    rows.push_back({QString::fromStdString(trackName(*trace_, track)), count});
    first[track] = lane;
    lane += count;
  }
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < trace_->spans.size(); ++i) {
    const TraceSpan& span = trace_->spans[i];
    bars.push_back({first[span.track] + depth[i], span.begin - trace_->begin, span.end - trace_->begin});
  }
  setBars(std::move(rows), std::move(bars), trace_->end - trace_->begin);
}

// A span that contains others is pale; the stages have the colours of the charts.
QColor TraceChart::colourOf(const TraceSpan& span, const ChartTheme& theme) {
  const auto is = [&](auto... names) { return ((span.name == names) || ...); };
  if (is("transfer")) return theme.limit;
  if (is("spread", "interpolate", "private")) return theme.interpolation;
  if (is("reduction")) return theme.chosen;
  if (is("fft")) return theme.fft;
  if (is("multiply", "deapodize", "zero", "sort")) return theme.rest;
  return span.kind == SpanKind::job ? theme.setUp : theme.grid;
}

QColor TraceChart::colourOfBar(int interval) const {
  return colourOf(trace_->spans[std::size_t(interval)], theme());
}

QString TraceChart::labelOf(int interval) const {
  return nameOf(trace_->spans[std::size_t(interval)]);
}

QString TraceChart::promise() const {
  return tr("When which part of a job ran will be here: Reconstruct records it.");
}

QString TraceChart::textOf(int interval) const {
  const TraceSpan& span = trace_->spans[std::size_t(interval)];
  return tr("<b>%1</b> (%2)<br>%3, from %4 ms on")
      .arg(nameOf(span).toHtmlEscaped(), QString::fromStdString(trackName(*trace_, span.track)),
           secondsLabel(span.end - span.begin), numberLabel((span.begin - trace_->begin) / traceUnit, 3));
}

QString TraceChart::numbers() const {
  QString text = QStringLiteral("track\tpart\tkind\tbegin (ms)\tend (ms)\n");
  constexpr int digits = 9;
  if (trace_)
    for (const TraceSpan& span : trace_->spans)
      text += QStringLiteral("%1\t%2\t%3\t%4\t%5\n")
                  .arg(QString::fromStdString(trackName(*trace_, span.track)), nameOf(span),
                       QString::fromUtf8(spanKindName(span.kind)))
                  .arg((span.begin - trace_->begin) / traceUnit, 0, 'g', digits)
                  .arg((span.end - trace_->begin) / traceUnit, 0, 'g', digits);
  return text;
}

}  // namespace spokelab
