#include "widgets/profile/charts/time_chart.h"

#include <algorithm>
#include <array>

#include "widgets/profile/charts/distinct_ticker.h"

namespace spokelab {
namespace {

constexpr double barPixels = 7;
constexpr int fillOpacity = 90;   // of 255, between the bars
constexpr double headRoom = 1.6;  // keeps the legend off the tallest bar
// Share of the longest measured time; predictions beyond it leave the chart.
constexpr double maxPredictedShare = 1.5;
constexpr int legendColumns = 2;
constexpr double sideRoom = 0.08;  // of the α range
constexpr double minRange = 0.2;   // of α, where there are few points

struct TimeUnit {
  double factor;
  const char* name;
};

TimeUnit unitFor(double seconds) {
  if (seconds >= 1) return {1, "s"};
  if (seconds >= 1e-3) return {1e3, "ms"};
  return {1e6, "µs"};
}

}  // namespace

TimeChart::TimeChart(QWidget* parent) : Chart(parent) {
  xAxis->setTicker(QSharedPointer<DistinctTicker>::create(false));
  yAxis->setTicker(QSharedPointer<DistinctTicker>::create(false));
  yAxis->setLabel(QStringLiteral("time"));
  axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
  legend->setFillOrder(QCPLegend::foColumnsFirst);
  legend->setWrap(legendColumns);
}

void TimeChart::rebuild() {
  const auto indices = fastestForEachAlpha(data());
  const auto& candidates = data().candidates;
  double longest = 0;
  for (int i : indices) longest = std::max(longest, candidates[std::size_t(i)].cost());
  const TimeUnit unit = unitFor(longest);
  yAxis->setLabel(QStringLiteral("cost of an execution (%1)").arg(QString::fromUtf8(unit.name)));
  xAxis->setLabel(withWorkload(QStringLiteral("α")));
  legend->setVisible(!indices.empty());
  longest_ = longest > 0 ? longest * unit.factor : 1;
  lowest_ = indices.empty() ? 1 : candidates[std::size_t(indices.front())].options.alpha;
  highest_ = indices.empty() ? 2 : candidates[std::size_t(indices.back())].options.alpha;

  struct Layer {
    const char* name;
    QColor colour;
    double (*part)(const Candidate&);
  };
  const std::array<Layer, 4> layers = {
      {{"interpolation", theme().interpolation, [](const Candidate& c) { return c.timings.interpolation(); }},
       {"FFT", theme().fft, [](const Candidate& c) { return c.timings.fft(); }},
       {"rest", theme().rest, [](const Candidate& c) { return c.timings.rest(); }},
       {"points, plan, copies", theme().setUp, [](const Candidate& c) { return c.setUp(); }}}};
  QVector<double> alphas;
  for (int i : indices) alphas << candidates[std::size_t(i)].options.alpha;
  QVector<double> top(alphas.size(), 0.0);
  QCPGraph* graphBelow = nullptr;
  QCPBars* barsBelow = nullptr;
  for (const Layer& layer : layers) {
    QVector<double> parts;
    for (int i : indices) {
      const double part = std::max(0.0, layer.part(candidates[std::size_t(i)])) * unit.factor;
      top[parts.size()] += part;
      parts << part;
    }
    QColor fill = layer.colour;
    fill.setAlpha(fillOpacity);
    QCPGraph* graph = addGraph();
    graph->setPen(QPen(layer.colour, 1));
    graph->setBrush(fill);
    if (graphBelow) graph->setChannelFillGraph(graphBelow);
    graph->setData(alphas, top, true);
    graph->removeFromLegend();
    auto* bars = new QCPBars(xAxis, yAxis);
    bars->setName(QString::fromUtf8(layer.name));
    bars->setWidthType(QCPBars::wtAbsolute);
    bars->setWidth(barPixels);
    bars->setPen(Qt::NoPen);
    bars->setBrush(layer.colour);
    bars->setData(alphas, parts, true);
    if (barsBelow) bars->moveAbove(barsBelow);
    graphBelow = graph;
    barsBelow = bars;
  }
  addPredicted(indices, unit.factor);
  for (qsizetype n = 0; n < alphas.size(); ++n) {
    const int index = indices[std::size_t(n)];
    spots_.push_back({index, alphas[n], top[n]});
  }
  addMarked(unit.factor);
}

// Wherever they lie: the one that is shown need not be the fastest of its α.
void TimeChart::addMarked(double unit) {
  const auto mark = [&](int index, auto&& draw) {
    if (index < 0 || index >= int(data().candidates.size())) return;
    const Candidate& candidate = data().candidates[std::size_t(index)];
    const double time = candidate.cost() * unit;
    if (!candidate.timed()) return;
    longest_ = std::max(longest_, time);
    lowest_ = std::min(lowest_, candidate.options.alpha);
    highest_ = std::max(highest_, candidate.options.alpha);
    draw(candidate.options.alpha, time);
  };
  mark(data().best, [this](double x, double y) { markChoice(x, y); });
  mark(data().selected, [this](double x, double y) { markSelection(x, y); });
}

// The cost model's times of the same plans.
void TimeChart::addPredicted(const std::vector<int>& indices, double unit) {
  QVector<double> alphas, times;
  for (const int i : indices) {
    const Candidate& candidate = data().candidates[std::size_t(i)];
    if (!(candidate.predictedSeconds > 0)) continue;
    alphas << candidate.options.alpha;
    times << candidate.predictedSeconds * unit;
    longest_ = std::max(longest_, std::min(times.back(), maxPredictedShare * longest_));
  }
  if (alphas.isEmpty()) return;
  QCPGraph* graph = addGraph();
  graph->setName(QStringLiteral("predicted"));
  graph->setPen(QPen(theme().foreground, 1, Qt::DashLine));
  graph->setData(alphas, times, true);
}

void TimeChart::resetRanges() {
  const double range = std::max(highest_ - lowest_, minRange), middle = (lowest_ + highest_) / 2;
  xAxis->setRange(QCPRange(middle - (0.5 + sideRoom) * range, middle + (0.5 + sideRoom) * range));
  yAxis->setRange(0, longest_ * headRoom);
}

}  // namespace spokelab
