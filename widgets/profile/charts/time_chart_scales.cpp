// The parts of a plan's time: stacked bars, their shares, or lines over a logarithmic axis; rates
// of points and bytes as lines.
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "widgets/core/number_text.h"
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
  if (isRate()) return candidate.cost() > 0 ? rateOf(candidate) / candidate.cost() : 0;
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
  for (qsizetype n = 0; n < top.size(); ++n) {
    if (top[n] > ceiling_) addBreak(group.x[n]);
    names_.leaveFreeBar(group.x[n], group.shown[n], stackPixels);
  }
}

// Draws lines on the logarithmic axis, where the lengths of stacked bars would mean nothing.
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

double TimeChart::rateOf(const Candidate& candidate) const {
  constexpr double mega = 1e6, giga = 1e9;
  const StageTimings& t = candidate.timings;
  return scale_ == TimeScale::points ? t.pointsPerSecond() / mega : t.bytesPerSecond() / giga;
}

void TimeChart::rebuildRates() {
  const bool isBandwidth = scale_ == TimeScale::bandwidth;
  yAxis->setLabel(isBandwidth ? tr("memory bandwidth (GB/s)") : tr("points a second (millions)"));
  std::vector<int> indices;
  for (const int i : fastestForEachAlpha(data()))
    if (rateOf(data().candidates[std::size_t(i)]) > 0) indices.push_back(i);
  const std::vector<CandidatePath> paths = pathsIn(data());
  std::vector<Group> groups = groupsOf(indices, paths);
  legend->setVisible(!groups.empty());
  xAxis->setLabel(withWorkload(QStringLiteral("α")));
  unit_ = 1;
  ceiling_ = HUGE_VAL;
  longest_ = 0;
  lowest_ = groups.empty() ? 1 : groups.front().x.front();
  highest_ = groups.empty() ? 2 : lowest_;
  for (Group& group : groups) {
    lowest_ = std::min(lowest_, *std::min_element(group.x.begin(), group.x.end()));
    highest_ = std::max(highest_, *std::max_element(group.x.begin(), group.x.end()));
    addRates(group, &group == &groups.front());
  }
  if (!(longest_ > 0)) longest_ = 1;
  if (isBandwidth) addCeilings(groups);
  if (paths.size() > 1)
    for (const Group& group : groups) addTotals(group);
  for (const Group& group : groups)
    for (qsizetype n = 0; n < group.x.size(); ++n)
      spots_.push_back({group.members[std::size_t(n)], group.x[n], group.top[n]});
  addMarked();
  if (groups.empty() && !data().candidates.empty())
    addNotes({isBandwidth ? tr("no plan has counted its bytes")
                          : tr("runs of earlier versions have not counted their points")});
  addLoad();
}

// A line for all of a plan; of bandwidths also one for interpolation and one for the FFT.
void TimeChart::addRates(Group& group, bool inLegend) {
  const auto add = [&](const QString& name, const QColor& colour, const QVector<double>& y) {
    QCPGraph* graph = addGraph();
    graph->setName(name);
    graph->setPen(QPen(colour, partPen));
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, colour, partPixels));
    graph->setData(group.x, y, true);
    if (!inLegend) graph->removeFromLegend();
    for (const double value : y) longest_ = std::max(longest_, value);
  };
  if (scale_ == TimeScale::bandwidth)
    for (const auto& [name, colour, stages] : {std::tuple(tr("interpolation"), theme().interpolation,
                                                          std::vector{Stage::spread, Stage::interpolate}),
                                               std::tuple(tr("FFT"), theme().fft, std::vector{Stage::fft})}) {
      QVector<double> y;
      for (const int i : group.members) {
        const StageTimings& t = data().candidates[std::size_t(i)].timings;
        double bytes = 0, seconds = 0;
        for (const Stage stage : stages) {
          bytes += t.bytes[std::size_t(stage)];
          seconds += t[stage];
        }
        constexpr double giga = 1e9;
        y << (seconds > 0 ? bytes / seconds / giga : 0);
      }
      if (std::any_of(y.begin(), y.end(), [](double value) { return value > 0; })) add(name, colour, y);
    }
  group.top.clear();
  for (const int i : group.members) group.top << rateOf(data().candidates[std::size_t(i)]);
  group.shown = group.top;
  add(scale_ == TimeScale::bandwidth ? tr("all stages") : tr("points"), theme().foreground, group.top);
}

// Draws each backend's measured memory bandwidth; stages in caches are above it.
void TimeChart::addCeilings(const std::vector<Group>& groups) {
  std::set<std::string> backends;
  for (const Group& group : groups)
    for (const int i : group.members) backends.insert(data().candidates[std::size_t(i)].backend);
  QStringList unknown;
  for (const std::string& backend : backends) {
    const QString name = QString::fromStdString(backend);
    const auto known = data().ceilings.find(backend);
    if (known == data().ceilings.end()) {
      unknown << name;
      continue;
    }
    constexpr double giga = 1e9;
    const double roof = known->second / giga;
    longest_ = std::max(longest_, roof);
    auto* line = new QCPItemStraightLine(this);
    line->setPen(QPen(theme().limit, partPen, Qt::DashLine));
    line->point1->setCoords(lowest_, roof);
    line->point2->setCoords(highest_ + 1, roof);
    auto* text = new QCPItemText(this);
    text->setText(tr("ceiling of %1: %2 GB/s").arg(name, fixedLabel(roof, 1)));
    text->setColor(theme().limit);
    text->setFont(xAxis->tickLabelFont());
    text->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    text->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    text->position->setTypeY(QCPItemPosition::ptPlotCoords);
    text->position->setCoords(0.01, roof);
  }
  if (!unknown.isEmpty())
    addNotes({tr("the ceiling of %1 is not measured: Stages, Measure the memory's ceiling")
                  .arg(unknown.join(QStringLiteral(", ")))});
}

}  // namespace spokelab
