#include "widgets/profile/charts/time_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/nufft/tune/repeats.h"
#include "widgets/core/candidate_text.h"
#include "widgets/core/number_text.h"
#include "widgets/core/plot/distinct_ticker.h"
#include "widgets/profile/charts/run_trace.h"

namespace spokelab {
namespace {

constexpr double headRoom = 1.25;     // over the tallest bar
constexpr double maxBarShare = 1.35;  // of the longest time; a bar beyond it is cut, and says its time
// Share of the longest measured time; predictions beyond it leave the chart.
constexpr double maxPredictedShare = 1.5;
// Share of the longest time; other runs beyond it leave the chart.
constexpr double maxTraceShare = 3;
constexpr double sideRoom = 0.08;     // of the α range
constexpr double maxSumsShare = 3;    // of the other paths' longest time
constexpr double minRange = 0.2;      // of α, where there are few points
constexpr double sameAlpha = 1e-6;    // of α
constexpr double columnGap = 0.12;    // of α, to the column of a path without a ratio
constexpr double asideOfGrid = 0.03;  // of α: distance of another path's bar from the grid's bar
constexpr double endMarkPixels = 7;
constexpr int minFullLoadWidth = 320;            // pixels of a chart that has room for the whole note
constexpr int minTitledHeight = 230;             // pixels of a chart that has room for a long title
constexpr int namePadding = 7;                   // pixels
constexpr int plainMargin = 8, loadMargin = 20;  // pixels above the plot
constexpr double whole = 100;                    // percent
constexpr double shareRoom = 1.12, logRoom = 1.6, leastOfLongest = 1e-4;
constexpr double singlePen = 1.2, singlePixels = 7;

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
  putLegendBelow();
  connect(this, &QCustomPlot::afterLayout, this, [this] { names_.keepApart(axisRect()->rect()); });
}

bool TimeChart::place(const Candidate& candidate, double& x) const {
  const CandidatePath path = pathOf(candidate);
  if (path.over == SweptOver::nothing) {
    const auto column = columns_.find(path.name);
    if (column == columns_.end()) return false;
    x = column->second;
    return true;
  }
  x = path.alpha;
  if (!path.isGrid() && std::abs(x - gridEnd_) < sameAlpha) x += asideOfGrid;
  return true;
}

std::vector<TimeChart::Group> TimeChart::groupsOf(const std::vector<int>& indices,
                                                  const std::vector<CandidatePath>& paths) {
  const auto& candidates = data().candidates;
  columns_.clear();
  gridEnd_ = 0;
  double right = 0;
  for (const int i : indices) {
    const CandidatePath path = pathOf(candidates[std::size_t(i)]);
    if (path.isGrid()) gridEnd_ = std::max(gridEnd_, path.alpha);
    right = std::max(right, path.alpha);
  }
  for (const int i : indices) {
    const CandidatePath path = pathOf(candidates[std::size_t(i)]);
    if (path.over == SweptOver::nothing && !columns_.contains(path.name))
      columns_[path.name] = right = right > 0 ? right + columnGap : 1;
  }
  std::vector<Group> groups;
  for (const int i : indices) {
    const Candidate& candidate = candidates[std::size_t(i)];
    const int index = pathIndex(paths, candidate);
    if (groups.empty() || groups.back().index != index)
      groups.push_back({paths[std::size_t(index)], index, false, {}, {}, {}, {}});
    double x = 0;
    place(candidate, x);
    groups.back().members.push_back(i);
    groups.back().x << x;
  }
  const auto meets = [&](int i) { return meetsAccuracy(candidates[std::size_t(i)], data().accuracy); };
  if (std::any_of(indices.begin(), indices.end(), meets))
    for (Group& group : groups)
      group.inexact = std::none_of(group.members.begin(), group.members.end(), meets);
  return groups;
}

void TimeChart::rebuild() {
  names_.clear();
  if (isRate()) return rebuildRates();
  const auto indices = fastestForEachAlpha(data(), InexactPaths::shown);
  const auto& candidates = data().candidates;
  double longest = 0, longestOfSums = 0;
  for (int i : indices) {
    const Candidate& candidate = candidates[std::size_t(i)];
    double& of = isExact(candidate.path.transform) ? longestOfSums : longest;
    of = std::max(of, candidate.cost());
  }
  if (indices.empty())
    for (const auto& trace : data().traces) longest = std::max(longest, trace->longest());
  // Exact sums may take a hundred times as long as what they are compared with.
  longest = longest > 0 ? std::max(longest, std::min(longestOfSums, maxSumsShare * longest)) : longestOfSums;
  const bool isLog = scale_ == TimeScale::logarithmic, isShare = scale_ == TimeScale::share;
  if (isLog) longest = std::max(longest, longestOfSums);  // it has room for all
  const TimeUnit unit = unitFor(longest);
  unit_ = unit.factor;
  const bool isLow = height() < minTitledHeight;
  yAxis->setLabel(
      isShare
          ? (isLow ? tr("share (%)") : tr("share of an execution (%)"))
          : (isLow ? tr("cost (%1)") : tr("cost of an execution (%1)")).arg(QString::fromUtf8(unit.name)));
  legend->setVisible(!indices.empty() || !data().traces.empty());
  longest_ = isShare ? whole : longest > 0 ? longest * unit.factor : 1;
  ceiling_ = isLog ? HUGE_VAL : maxBarShare * longest_;
  smallest_ = longest_;
  const std::vector<CandidatePath> paths = pathsIn(data());
  std::vector<Group> groups = groupsOf(indices, paths);
  const bool ratios = std::any_of(groups.begin(), groups.end(),
                                  [](const Group& g) { return g.path.over == SweptOver::toeplitzAlpha; });
  xAxis->setLabel(withWorkload(ratios ? QStringLiteral("α, Toeplitz: α_T") : QStringLiteral("α")));
  lowest_ = groups.empty() ? 1 : groups.front().x.front();
  highest_ = groups.empty() ? 2 : lowest_;
  if (!isShare) addTraces(unit.factor);
  // The legend shows the parts of a path that keeps the accuracy.
  const auto named = std::find_if(groups.begin(), groups.end(), [](const Group& g) { return !g.inexact; });
  for (Group& group : groups) {
    lowest_ = std::min(lowest_, group.x.front());
    highest_ = std::max(highest_, group.x.back());
    const bool isFirst = &group == &(named == groups.end() ? groups.front() : *named);
    isLog ? addLines(group, isFirst) : addStack(group, isFirst);
  }
  if (paths.size() > 1)
    for (const Group& group : groups) addTotals(group);
  if (!isShare) addPredicted(groups, unit.factor);
  for (const Group& group : groups)
    for (qsizetype n = 0; n < group.x.size(); ++n)
      spots_.push_back({group.members[std::size_t(n)], group.x[n], group.top[n]});
  if (!isShare) addRepeats(groups, unit.factor);
  addMarked();
  addNotes(refusedTexts(paths, groups));
  addLoad();
}

// Above the plot, where no legend is.
void TimeChart::addLoad() {
  const MachineLoad& load = data().load;
  QMargins margins = axisRect()->minimumMargins();
  margins.setTop(load.isBusy() ? loadMargin : plainMargin);
  axisRect()->setMinimumMargins(margins);
  if (!load.isBusy()) return;
  auto* text = new QCPItemText(this);
  text->setText(
      (width() < minFullLoadWidth ? tr("busy: %1 of %2 CPUs") : tr("busy machine: others took %1 of %2 CPUs"))
          .arg(numberLabel(load.others, 1))
          .arg(load.processors));
  text->setColor(theme().limit);
  text->setFont(xAxis->tickLabelFont());
  text->setClipToAxisRect(false);
  text->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
  text->position->setType(QCPItemPosition::ptAxisRectRatio);
  text->position->setCoords(0, 0);
}

// Quartiles around the tops of the bars.
void TimeChart::addRepeats(const std::vector<Group>& groups, double unit) {
  Bars bars;
  QVector<double> singleX, singleTop;
  for (const Group& group : groups)
    for (qsizetype n = 0; n < group.x.size(); ++n) {
      const Candidate& candidate = data().candidates[std::size_t(group.members[std::size_t(n)])];
      if (isSingleRepeat(candidate)) {
        singleX << group.x[n];
        singleTop << group.shown[n];
        continue;
      }
      if (group.top[n] > ceiling_) continue;
      const CostQuartiles quartiles = costQuartiles(candidate);
      bars.x << group.x[n];
      bars.y << group.top[n];
      bars.below << std::max(0.0, group.top[n] - quartiles.low * unit);
      bars.above << std::max(0.0, quartiles.high * unit - group.top[n]);
      longest_ = std::max(longest_, std::min(quartiles.high * unit, maxPredictedShare * longest_));
    }
  addQuartiles(Qt::Vertical, bars);
  if (!singleX.isEmpty()) {
    QCPGraph* singles =
        addMarks(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme().foreground, singlePen),
                                 QBrush(theme().background), singlePixels),
                 singleX, singleTop);
    singles->setName(tr("timed once"));
    singles->addToLegend();
  }
}

// The other runs' fastest plans of the grid, a line each, behind the bars.
void TimeChart::addTraces(double unit) {
  for (const auto& trace : data().traces) {
    QVector<double> x, y;
    for (const RunTrace::Point& point : trace->points) {
      if (!point.fastestOfAlpha || !point.grid) continue;
      x << point.alpha;
      y << point.seconds * unit;
      lowest_ = std::min(lowest_, x.back());
      highest_ = std::max(highest_, x.back());
      longest_ = std::max(longest_, std::min(y.back(), maxTraceShare * longest_));
    }
    addTrace(*trace, x, y, true);
  }
}

// Paths of which no plan can run say why.
QStringList TimeChart::refusedTexts(const std::vector<CandidatePath>& paths,
                                    const std::vector<Group>& groups) const {
  QStringList lines;
  for (const CandidatePath& path : paths) {
    if (path.isGrid() ||
        std::any_of(groups.begin(), groups.end(), [&](const Group& g) { return g.path.name == path.name; }))
      continue;
    for (const Candidate& c : data().candidates)
      if (pathOf(c).name == path.name && !c.refused.empty()) {
        lines << tr("%1 cannot run: %2").arg(pathTitle(path), QString::fromStdString(c.refused));
        break;
      }
  }
  return lines;
}

void TimeChart::addNotes(const QStringList& lines) {
  if (lines.isEmpty()) return;
  auto* text = new QCPItemText(this);
  text->setText(lines.join(QLatin1Char('\n')));
  text->setColor(theme().limit);
  text->setFont(xAxis->tickLabelFont());
  text->setTextAlignment(Qt::AlignLeft);
  text->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
  text->position->setType(QCPItemPosition::ptAxisRectRatio);
  text->position->setCoords(0.01, 0.02);
  names_.leaveFree(text);
}

// A bar that is cut short has a slanted gap.
void TimeChart::addBreak(double x) {
  constexpr double gapPixels = 3, halfWidth = 7, halfHeight = 3, share = 0.9;  // share: of the bar
  auto* at = new QCPItemTracer(this);
  at->setStyle(QCPItemTracer::tsNone);
  at->position->setCoords(x, share * ceiling_);
  auto* gap = new QCPItemLine(this);
  gap->setPen(QPen(theme().background, gapPixels));
  for (const auto& [end, side] : {std::pair(gap->start, -1), std::pair(gap->end, 1)}) {
    end->setParentAnchor(at->position);
    end->setType(QCPItemPosition::ptAbsolute);
    end->setCoords(side * halfWidth, -side * halfHeight);
  }
}

// The tops of a path's bars, named, where there are several paths.
void TimeChart::addTotals(const Group& group) {
  const QColor colour = theme().ofPath(group.index);
  QCPGraph* graph = addGraph();
  graph->setName(group.inexact ? tr("%1 (misses the accuracy)").arg(pathTitle(group.path))
                               : pathTitle(group.path));
  graph->setPen(QPen(colour, 1, Qt::DotLine));
  graph->setScatterStyle(pathMark(group.index, endMarkPixels));
  graph->setData(group.x, group.shown, true);
  if (height() < minNamedHeight) graph->removeFromLegend();  // which would not fit
  if (!group.path.isGrid() || group.inexact) addName(group, colour);
  if (group.inexact) return;
  if (group.path.over != SweptOver::nothing || group.top.front() > ceiling_) return;
  auto* across = new QCPItemLine(this);
  across->setPen(QPen(colour, 1, Qt::DotLine));
  across->start->setCoords(std::min(lowest_, 1.0), group.top.front());
  across->end->setCoords(group.x.front(), group.top.front());
}

// Writes the group's name beside its marks, with or without a legend.
void TimeChart::addName(const Group& group, const QColor& colour) {
  const auto highest = std::max_element(group.top.begin(), group.top.end()) - group.top.begin();
  auto* name = new QCPItemText(this);
  const double top = group.top[highest];
  const bool beyond = top > ceiling_;
  const Candidate& candidate = data().candidates[std::size_t(group.members[highest])];
  name->setText(pathShortTitle(group.path) +
                (beyond ? QLatin1Char(' ') + secondsLabel(candidate.cost()) : QString()) +
                (group.inexact ? tr(", error %1").arg(shortLabel(candidateError(candidate), 2)) : QString()));
  name->setColor(colour);
  name->setFont(xAxis->tickLabelFont());
  const bool column = group.path.over == SweptOver::nothing;
  name->setRotation(column ? -90 : 0);  // columns are narrow
  // A name with its error is long: it stays within the chart.
  const bool left = group.x[highest] < (lowest_ + highest_) / 2;
  const Qt::Alignment aside = !group.inexact ? Qt::AlignHCenter : left ? Qt::AlignLeft : Qt::AlignRight;
  name->setPositionAlignment(column ? Qt::AlignLeft | Qt::AlignVCenter : aside | Qt::AlignBottom);
  name->setPadding(QMargins(column ? namePadding : 0, 0, 0, namePadding));
  constexpr double middle = 0.5;  // of the axis
  names_.add(name, QPointF(group.x[highest], beyond ? middle * longest_ : top));
}

// Marks plans at any place: the shown plan need not be the fastest of its α.
void TimeChart::addMarked() {
  const auto mark = [&](int index, auto&& draw) {
    if (index < 0 || index >= int(data().candidates.size())) return;
    const Candidate& candidate = data().candidates[std::size_t(index)];
    const double time = candidate.cost() * factorOf(candidate);
    double x = 0;
    if (!candidate.timed() || !place(candidate, x)) return;
    longest_ = std::max(longest_, time);
    lowest_ = std::min(lowest_, x);
    highest_ = std::max(highest_, x);
    draw(x, time);
  };
  mark(data().best, [this](double x, double y) { markChoice(x, y); });
  mark(data().selected, [this](double x, double y) { markSelection(x, y); });
}

// The cost model's times of the same plans.
void TimeChart::addPredicted(const std::vector<Group>& groups, double unit) {
  bool named = false;
  for (const Group& group : groups) {
    QVector<double> x, times;
    for (qsizetype n = 0; n < group.x.size(); ++n) {
      const Candidate& candidate = data().candidates[std::size_t(group.members[std::size_t(n)])];
      if (!(candidate.predictedSeconds > 0)) continue;
      x << group.x[n];
      times << candidate.predictedSeconds * unit;
      longest_ = std::max(longest_, std::min(times.back(), maxPredictedShare * longest_));
    }
    if (x.isEmpty()) continue;
    QCPGraph* graph = addGraph();
    graph->setName(QStringLiteral("predicted"));
    graph->setPen(QPen(theme().foreground, 1, Qt::DashLine));
    if (x.size() == 1) {
      graph->setLineStyle(QCPGraph::lsNone);
      graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, theme().foreground, endMarkPixels));
    }
    graph->setData(x, times, true);
    if (named) graph->removeFromLegend();
    named = true;
  }
}

PlaceMark::At TimeChart::placeOf(const PlanPlace& place) const {
  const bool isTime = scale_ != TimeScale::share && !isRate();
  return {PlaceMark::orUnknown(place.alpha),
          isTime ? PlaceMark::orUnknown(place.seconds * unit_) : PlaceMark::unknown};
}

void TimeChart::resetRanges() {
  const double range = std::max(highest_ - lowest_, minRange), middle = (lowest_ + highest_) / 2;
  xAxis->setRange(QCPRange(middle - (0.5 + sideRoom) * range, middle + (0.5 + sideRoom) * range));
  if (scale_ == TimeScale::logarithmic)
    yAxis->setRange(std::max(smallest_, longest_ * leastOfLongest) / logRoom, longest_ * logRoom);
  else
    yAxis->setRange(0, longest_ * (scale_ == TimeScale::share ? shareRoom : headRoom));
}

}  // namespace spokelab
