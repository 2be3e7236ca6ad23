#include "widgets/profile/charts/scatter_chart.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/nufft/tune/repeats.h"
#include "widgets/core/candidate_text.h"
#include "widgets/core/number_text.h"
#include "widgets/core/plot/distinct_ticker.h"
#include "widgets/profile/charts/run_trace.h"

namespace spokelab {
namespace {

constexpr double markPixels = 8, holePixels = 4;
constexpr double maxQuartileRatio = 2;  // of a median: a quartile beyond it leaves the chart
constexpr double room = 1.3;            // factor beyond the outermost plans
constexpr int colourSteps = 8;          // number of colours that distinguish α
const QCPRange noSeconds(1e-4, 1), noErrors(1e-6, 1);

// 1, 2 and 5 of each decade, or decades alone, with their units.
class SecondsTicker : public QCPAxisTicker {
 protected:
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override {
    constexpr double manyDecades = 100;
    QVector<double> ticks;
    const std::vector<double> steps =
        range.upper > manyDecades * range.lower ? std::vector{1.0} : std::vector{1.0, 2.0, 5.0};
    for (double decade = std::pow(10, std::floor(std::log10(range.lower))); decade <= range.upper;
         decade *= 10)
      for (const double step : steps)
        if (range.contains(step * decade)) ticks << step * decade;
    return ticks.size() < 2 ? QCPAxisTicker::createTickVector(tickStep, range) : ticks;
  }
  int getSubTickCount(double) override { return 0; }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override { return secondsLabel(tick); }
};

bool isDrawn(const Candidate& candidate) {
  const double error = candidateError(candidate);
  return candidate.timed() && error > 0 && std::isfinite(error);
}

// Ends at whole decades would waste half of a chart whose times lie close together.
QCPRange widened(const QCPRange& range) {
  return {range.lower / room, range.upper * room};
}

}  // namespace

std::vector<int> paretoFront(const ProfileData& data) {
  std::vector<int> order;
  for (int i = 0; i < int(data.candidates.size()); ++i)
    if (isDrawn(data.candidates[std::size_t(i)])) order.push_back(i);
  const auto cost = [&](int i) { return data.candidates[std::size_t(i)].cost(); };
  const auto error = [&](int i) { return candidateError(data.candidates[std::size_t(i)]); };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return cost(a) != cost(b) ? cost(a) < cost(b) : error(a) < error(b);
  });
  std::vector<int> front;
  for (const int i : order)
    if (front.empty() || error(i) < error(front.back())) front.push_back(i);
  return front;
}

ScatterChart::ScatterChart(QWidget* parent) : Chart(parent) {
  xAxis->setScaleType(QCPAxis::stLogarithmic);
  xAxis->setTicker(QSharedPointer<SecondsTicker>::create());
  yAxis->setScaleType(QCPAxis::stLogarithmic);
  yAxis->setTicker(QSharedPointer<DistinctTicker>::create(true));
  yAxis->setNumberFormat(QStringLiteral("eb"));
  yAxis->setNumberPrecision(0);
  yAxis->setLabel(QStringLiteral("relative ℓ₂ error"));
  // No plan is faster and more accurate than all others: that corner is free.
  axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignLeft | Qt::AlignBottom);
}

QString ScatterChart::numbers() const {
  return QStringLiteral("seconds\t") + Chart::numbers().section(QLatin1Char('\t'), 1);
}

bool ScatterChart::cover(double seconds, double error) {
  if (!(seconds > 0) || !(error > 0) || !std::isfinite(error)) return false;
  if (empty_) {
    seconds_ = QCPRange(seconds, seconds);
    errors_ = QCPRange(error, error);
  }
  seconds_.expand(seconds);
  errors_.expand(error);
  empty_ = false;
  return true;
}

void ScatterChart::rebuild() {
  seconds_ = noSeconds;
  errors_ = noErrors;
  empty_ = true;
  xAxis->setLabel(withWorkload(QStringLiteral("cost of an execution")));
  addTraces();
  addFront();
  addRepeats();
  addPlans();
  addHoles();
  addLimit();
  addMarked();
  legend->setVisible(legend->itemCount() > 0);
}

void ScatterChart::addTraces() {
  for (const auto& trace : data().traces) {
    QVector<double> x, y;
    for (const RunTrace::Point& point : trace->points) {
      if (!cover(point.seconds, point.error)) continue;
      x << point.seconds;
      y << point.error;
    }
    addTrace(*trace, x, y, false);
  }
}

// Plans of one path and one colour are a graph.
void ScatterChart::addPlans() {
  const std::vector<CandidatePath> paths = pathsIn(data());
  double lowest = 0, highest = 0;
  for (const Candidate& candidate : data().candidates) {
    const double alpha = placeAlong(candidate, Along::alpha).value_or(0);
    if (!isDrawn(candidate) || alpha <= 0) continue;
    if (lowest == 0 || alpha < lowest) lowest = alpha;
    highest = std::max(highest, alpha);
  }
  struct Marks {
    QVector<double> x, y;
  };
  constexpr int noAlpha = -1;
  std::map<std::pair<int, int>, Marks> groups;
  for (int i = 0; i < int(data().candidates.size()); ++i) {
    const Candidate& candidate = data().candidates[std::size_t(i)];
    if (!isDrawn(candidate)) continue;
    const double x = candidate.cost(), y = candidateError(candidate);
    cover(x, y);
    const auto alpha = placeAlong(candidate, Along::alpha);
    const double share = alpha && highest > lowest ? (*alpha - lowest) / (highest - lowest) : 0;
    const int step = alpha ? int(std::lround(share * (colourSteps - 1))) : noAlpha;
    Marks& marks = groups[{pathIndex(paths, candidate), step}];
    marks.x << x;
    marks.y << y;
    spots_.push_back({i, x, y});
  }
  for (const auto& [group, marks] : groups) {
    const auto [path, step] = group;
    const QColor colour = step == noAlpha ? theme().ofPath(path) : theme().ofFamily(step, colourSteps);
    QCPGraph* graph = addMarks(pathMark(path, markPixels, colour), marks.x, marks.y);
    const bool first = step == groups.lower_bound({path, noAlpha})->first.second;
    if (!first || paths.size() < 2) continue;
    graph->setName(pathTitle(paths[std::size_t(path)]));
    graph->addToLegend();
  }
  if (!(highest > lowest)) return;
  for (const int step : {0, colourSteps - 1}) {
    QCPGraph* key = addMarks(pathMark(0, markPixels, theme().ofFamily(step, colourSteps)), {}, {});
    key->setName(QStringLiteral("α %1").arg(numberLabel(step == 0 ? lowest : highest, 3)));
    key->addToLegend();
  }
}

// Behind the marks, whose colours say α.
void ScatterChart::addRepeats() {
  Bars bars;
  for (const Candidate& candidate : data().candidates) {
    if (!isDrawn(candidate) || isSingleRepeat(candidate)) continue;
    const CostQuartiles quartiles = costQuartiles(candidate);
    const double x = candidate.cost(), y = candidateError(candidate);
    bars.x << x;
    bars.y << y;
    bars.below << std::clamp(x - quartiles.low, 0.0, x / 2);
    bars.above << std::max(0.0, quartiles.high - x);
    cover(x - bars.below.back(), y);
    cover(std::min(quartiles.high, maxQuartileRatio * x), y);
  }
  addQuartiles(Qt::Horizontal, bars);
}

void ScatterChart::addHoles() {
  QVector<double> x, y;
  for (const Spot& spot : spots_) {
    if (!isSingleRepeat(data().candidates[std::size_t(spot.candidate)])) continue;
    x << spot.x;
    y << spot.y;
  }
  if (x.isEmpty()) return;
  addMarks(QCPScatterStyle(QCPScatterStyle::ssDisc, theme().background, holePixels), x, y)
      ->setName(tr("timed once"));
}

// A staircase: between two of its plans the less accurate one is still the best that is known.
void ScatterChart::addFront() {
  QVector<double> x, y;
  for (const int i : paretoFront(data())) {
    const Candidate& candidate = data().candidates[std::size_t(i)];
    x << candidate.cost();
    y << candidateError(candidate);
  }
  if (x.size() < 2) return;
  QCPGraph* front = addGraph();
  front->setName(tr("Pareto front"));
  front->setLineStyle(QCPGraph::lsStepLeft);
  front->setPen(QPen(theme().foreground, 1));
  front->setData(x, y, true);
}

void ScatterChart::addLimit() {
  if (data().accuracy <= 0 || empty_) return;
  errors_.expand(data().accuracy);
  auto* line = new QCPItemStraightLine(this);
  line->setPen(QPen(theme().limit, 1, Qt::DashLine));
  line->point1->setCoords(1, data().accuracy);
  line->point2->setCoords(2, data().accuracy);
}

void ScatterChart::addMarked() {
  const auto mark = [this](int index, auto&& draw) {
    if (index < 0 || index >= int(data().candidates.size())) return;
    const Candidate& candidate = data().candidates[std::size_t(index)];
    if (isDrawn(candidate)) draw(candidate.cost(), candidateError(candidate));
  };
  mark(data().best, [this](double x, double y) { markChoice(x, y); });
  mark(data().selected, [this](double x, double y) { markSelection(x, y); });
}

PlaceMark::At ScatterChart::placeOf(const PlanPlace& place) const {
  using Mark = PlaceMark;
  return {Mark::orUnknown(place.seconds), Mark::orUnknown(place.error), Mark::orUnknown(place.accuracy)};
}

void ScatterChart::resetRanges() {
  xAxis->setRange(widened(seconds_));
  yAxis->setRange(widened(errors_));
}

}  // namespace spokelab
