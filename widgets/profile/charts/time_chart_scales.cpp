// The parts of a plan's time: stacked bars, their shares, or lines over a logarithmic axis.
#include <algorithm>
#include <utility>

#include "widgets/core/plot/distinct_ticker.h"
#include "widgets/profile/charts/time_chart.h"

namespace spokelab {
namespace {

constexpr double stackPixels = 7, partPen = 1.5, partPixels = 5, percent = 100;

}  // namespace

struct TimeChart::Layer {
  const char* name;
  QColor colour;
  double (*part)(const Candidate&);  // seconds
};

std::array<TimeChart::Layer, 4> TimeChart::layers() const {
  return {
      {{"interpolation", theme().interpolation, [](const Candidate& c) { return c.timings.interpolation(); }},
       {"FFT", theme().fft, [](const Candidate& c) { return c.timings.fft(); }},
       {"rest", theme().rest, [](const Candidate& c) { return c.timings.rest(); }},
       {"set-up", theme().setUp, [](const Candidate& c) { return c.setUp(); }}}};
}

void TimeChart::setScale(TimeScale scale) {
  if (scale == std::exchange(scale_, scale)) return;
  const bool isLog = scale == TimeScale::logarithmic;
  yAxis->setScaleType(isLog ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  yAxis->setTicker(QSharedPointer<DistinctTicker>::create(isLog));
  showAll();
  refresh();
}

double TimeChart::factorOf(const Candidate& candidate) const {
  return scale_ == TimeScale::share ? percent / candidate.cost() : unit_;
}

void TimeChart::addStack(Group& group, bool inLegend) {
  QVector<double>& top = group.top;
  top = group.shown = QVector<double>(group.x.size(), 0.0);
  QCPBars* barsBelow = nullptr;
  for (const Layer& layer : layers()) {
    QVector<double> parts;
    for (const int i : group.members) {
      const auto n = parts.size();
      const Candidate& candidate = data().candidates[std::size_t(i)];
      top[n] += std::max(0.0, layer.part(candidate)) * factorOf(candidate);
      const double below = std::exchange(group.shown[n], std::min(top[n], ceiling_));
      parts << group.shown[n] - below;
    }
    auto* bars = new QCPBars(xAxis, yAxis);
    bars->setName(QString::fromUtf8(layer.name));
    bars->setWidthType(QCPBars::wtAbsolute);
    bars->setWidth(stackPixels);
    bars->setPen(Qt::NoPen);
    bars->setBrush(QBrush(layer.colour, group.inexact ? Qt::BDiagPattern : Qt::SolidPattern));
    bars->setData(group.x, parts, true);
    if (!inLegend) bars->removeFromLegend();
    if (barsBelow) bars->moveAbove(barsBelow);
    barsBelow = bars;
  }
  for (qsizetype n = 0; n < top.size(); ++n)
    if (top[n] > ceiling_) addBreak(group.x[n]);
}

// Bars upon each other would say nothing there.
void TimeChart::addLines(Group& group, bool inLegend) {
  group.top.clear();
  for (const int i : group.members) group.top << data().candidates[std::size_t(i)].cost() * unit_;
  group.shown = group.top;
  const auto add = [&](const QString& name, const QColor& colour, const QVector<double>& x,
                       const QVector<double>& y) {
    if (x.isEmpty()) return;
    QCPGraph* graph = addGraph();
    graph->setName(name);
    graph->setPen(QPen(colour, partPen));
    graph->setScatterStyle(QCPScatterStyle(
        group.inexact ? QCPScatterStyle::ssCircle : QCPScatterStyle::ssDisc, colour, partPixels));
    graph->setData(x, y, true);
    if (!inLegend) graph->removeFromLegend();
  };
  for (const Layer& layer : layers()) {
    QVector<double> x, parts;
    for (qsizetype n = 0; n < group.x.size(); ++n) {
      const double part = layer.part(data().candidates[std::size_t(group.members[std::size_t(n)])]) * unit_;
      if (!(part > 0)) continue;
      x << group.x[n];
      parts << part;
      smallest_ = std::min(smallest_, part);
    }
    add(QString::fromUtf8(layer.name), layer.colour, x, parts);
  }
  add(tr("all"), theme().foreground, group.x, group.top);
}

}  // namespace spokelab
