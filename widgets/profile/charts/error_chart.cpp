#include "widgets/profile/charts/error_chart.h"

#include <algorithm>
#include <cmath>

#include "widgets/core/candidate_text.h"
#include "widgets/core/number_text.h"
#include "widgets/core/plot/distinct_ticker.h"
#include "widgets/profile/charts/run_trace.h"

namespace spokelab {
namespace {

constexpr double pointPixels = 6, pathPixels = 8;
constexpr double levelStep = 0.06;   // of the axis' range, between the marks of paths without a number on it
constexpr int besideEnd = 5;         // pixels from the end of a line to its name
constexpr double sideRoom = 0.05;    // of the axis' range
constexpr double decadeRoom = 1.25;  // factor above and below, before whole decades
constexpr double minRange[] = {0.2, 2};  // of α, of W
const QCPRange nothingYet(1e-6, 1);
constexpr int minNamedWidth = 260;  // pixels of a chart where names hide nothing
constexpr int besidePlot = 80;      // pixels, of the axis
constexpr double maxNameShare = 0.3;

}  // namespace

ErrorChart::ErrorChart(QWidget* parent) : Chart(parent) {
  yAxis->setScaleType(QCPAxis::stLogarithmic);
  yAxis->setTicker(QSharedPointer<DistinctTicker>::create(true));
  xAxis->setTicker(QSharedPointer<DistinctTicker>::create(false));
  yAxis->setNumberFormat(QStringLiteral("eb"));
  yAxis->setNumberPrecision(0);
  yAxis->setLabel(QStringLiteral("relative ℓ₂ error"));
  putLegendBelow();
  connect(this, &QCustomPlot::afterLayout, this, [this] {
    keepNamesApart();
    names_.keepApart(axisRect()->rect());
  });
}

void ErrorChart::setAlong(std::optional<Along> along) {
  chosenAlong_ = along;
  refresh();
}

void ErrorChart::rebuild() {
  names_.clear();
  along_ = chosenAlong_.value_or(clearerAxis(data()));
  const auto groups = families(data(), along_);
  const bool ratios = std::any_of(groups.begin(), groups.end(),
                                  [](const Family& f) { return f.path.over == SweptOver::toeplitzAlpha; });
  xAxis->setLabel(withWorkload(along_ == Along::width ? QStringLiteral("kernel width W (cells)")
                               : ratios               ? QStringLiteral("α, Toeplitz: α_T")
                                                      : QStringLiteral("oversampling ratio α")));
  xRange_ = along_ == Along::width ? QCPRange(2, 8) : QCPRange(1, 2);
  yRange_ = nothingYet;
  bool firstX = true, firstY = true;
  const auto cover = [](QCPRange& range, double value, bool& first) {
    if (first) range = QCPRange(value, value);
    range.expand(value);
    first = false;
  };
  for (const Family& family : groups) {
    for (int i : family.members) {
      const auto& candidate = data().candidates[std::size_t(i)];
      if (!family.level) cover(xRange_, *placeAlong(candidate, along_), firstX);
      for (double error : {candidate.predictedError(), candidateError(candidate)})
        if (error > 0 && std::isfinite(error)) cover(yRange_, error, firstY);
    }
  }
  for (const auto& trace : data().traces)
    for (const RunTrace::Point& point : trace->points) {
      const double at = along_ == Along::width ? point.width : point.alpha;
      if (!(at > 0) || !(point.error > 0) || !std::isfinite(point.error)) continue;
      cover(xRange_, at, firstX);
      cover(yRange_, point.error, firstY);
    }
  if (data().accuracy > 0) yRange_.expand(data().accuracy);
  addLimit();
  addTraces();
  const std::vector<CandidatePath> paths = pathsIn(data());
  const auto onLine = [](const Family& f) { return f.line && f.path.isGrid(); };
  const int lines = int(std::count_if(groups.begin(), groups.end(), onLine));
  int line = 0;
  ends_.clear();
  for (const Family& family : groups) {
    if (!family.path.isGrid()) {
      addPath(family, pathIndex(paths, data().candidates[std::size_t(family.members.front())]));
      continue;
    }
    const QColor colour = family.line ? theme().ofFamily(line, lines) : theme().foreground;
    addFamily(family, colour);
    line += family.line ? 1 : 0;
  }
  addMarked();
  legend->setVisible(legend->itemCount() > 0);
}

void ErrorChart::addTraces() {
  for (const auto& trace : data().traces) {
    QVector<double> x, y;
    for (const RunTrace::Point& point : trace->points) {
      const double at = along_ == Along::width ? point.width : point.alpha;
      if (!(at > 0) || !(point.error > 0)) continue;
      x << at;
      y << point.error;
    }
    addTrace(*trace, x, y, false);
  }
}

void ErrorChart::addFamily(const Family& family, const QColor& colour) {
  QVector<double> x, predicted, xMeasured, measured;
  for (int i : family.members) {
    const auto& candidate = data().candidates[std::size_t(i)];
    const double at = *placeAlong(candidate, along_);
    const double error = candidateError(candidate);
    if (candidate.predictedError() > 0) {
      x << at;
      predicted << candidate.predictedError();
    }
    if (candidate.measuredError) {
      xMeasured << at;
      measured << *candidate.measuredError;
    }
    if (!(error > 0)) continue;
    spots_.push_back({i, at, error});
  }
  QCPGraph* graph = addGraph();
  graph->setPen(QPen(colour, 1.5));
  graph->setLineStyle(family.line ? QCPGraph::lsLine : QCPGraph::lsNone);
  const bool bare = xMeasured.isEmpty();
  if (bare || !family.line) {
    graph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCross, QPen(colour, 1.2), Qt::NoBrush, pointPixels));
  }
  graph->setData(x, predicted, true);
  graph->setName(
      QStringLiteral("%1 %2").arg(along_ == Along::width ? QStringLiteral("α") : QStringLiteral("W"),
                                  numberLabel(family.value, along_ == Along::width ? 3 : 2)));
  const bool isNamed = width() >= minNamedWidth && !x.isEmpty();  // at its end
  if (!family.line || isNamed) graph->removeFromLegend();
  if (family.line && isNamed) addEnd(graph->name(), colour, x.back(), predicted.back());
  if (!family.line && pathsIn(data()).size() > 1) addName(pathTitle(family.path), colour, x, predicted);
  addMarks(
      QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme().background, 0.5), QBrush(colour), pointPixels),
      xMeasured, measured);
}

// The name of a line, right of its last point.
void ErrorChart::addEnd(const QString& name, const QColor& colour, double x, double y) {
  auto* text = new QCPItemText(this);
  text->setText(name);
  text->setColor(colour);
  text->setFont(xAxis->tickLabelFont());
  text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  text->setPadding(QMargins(besideEnd, 0, 0, 0));
  text->setClipToAxisRect(false);
  text->position->setCoords(x, y);
  ends_.push_back(text);
}

// Draws only the upper one of two names that overlap.
void ErrorChart::keepNamesApart() {
  std::sort(ends_.begin(), ends_.end(), [](const QCPItemText* a, const QCPItemText* b) {
    return a->position->value() > b->position->value();
  });
  const QRect area = axisRect()->rect();
  std::vector<QRectF> taken;
  for (QCPItemText* text : ends_) {
    const QPointF at = text->position->pixelPosition();
    const QFontMetrics metrics(text->font());
    const double high = metrics.ascent();
    const QRectF place(at.x(), at.y() - high / 2, besideEnd + metrics.horizontalAdvance(text->text()), high);
    const bool seen = area.contains(at.toPoint()) &&
                      std::none_of(taken.begin(), taken.end(),
                                   [&](const QRectF& other) { return other.intersects(place); });
    text->setVisible(seen);
    if (seen) taken.push_back(place);
  }
}

// A path without a grid: prediction as a line (across without a number), errors as marks.
void ErrorChart::addPath(const Family& family, int index) {
  QVector<double> x, predicted, xMeasured, measured;
  for (const int i : family.members) {
    const auto& candidate = data().candidates[std::size_t(i)];
    const double error = candidateError(candidate);
    if (!(error > 0)) continue;
    const double at = family.level ? levelPlace(index) : *placeAlong(candidate, along_);
    spots_.push_back({i, at, error});
    if (candidate.predictedError() > 0) {
      if (family.level) {
        x << xRange_.lower;
        predicted << candidate.predictedError();
      }
      x << at;
      predicted << candidate.predictedError();
    }
    if (candidate.measuredError) {
      xMeasured << at;
      measured << *candidate.measuredError;
    }
    if (family.level) break;  // one line and one mark a path
  }
  QCPGraph* graph = addGraph();
  graph->setPen(QPen(theme().ofPath(index), 1.5, family.level ? Qt::DotLine : Qt::SolidLine));
  graph->setData(x, predicted, true);
  graph->setName(pathTitle(family.path));
  graph->setScatterStyle(xMeasured.isEmpty()
                             ? QCPScatterStyle(QCPScatterStyle::ssCross, QPen(theme().ofPath(index), 1.2),
                                               Qt::NoBrush, pointPixels)
                             : QCPScatterStyle(QCPScatterStyle::ssNone));
  addMarks(pathMark(index, pathPixels), xMeasured, measured);
  addName(pathShortTitle(family.path), theme().ofPath(index), xMeasured.isEmpty() ? x : xMeasured,
          xMeasured.isEmpty() ? predicted : measured);
}

// The name of a path at its last point, as the legend has no room in a narrow chart.
void ErrorChart::addName(const QString& name, const QColor& colour, const QVector<double>& x,
                         const QVector<double>& y) {
  if (x.isEmpty() || width() < minNamedWidth) return;
  auto* text = new QCPItemText(this);
  text->setText(name);
  text->setColor(colour);
  text->setFont(xAxis->tickLabelFont());
  text->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
  text->setPadding(QMargins(0, 0, 0, besideEnd));
  names_.add(text, QPointF(x.back(), y.back()));
}

double ErrorChart::levelPlace(int index) const {
  const double range = std::max(xRange_.size(), minRange[along_ == Along::width ? 1 : 0]);
  return xRange_.upper - levelStep * range * index;
}

// Marks the best and the selected plan; a variant has its point at its plan's place.
void ErrorChart::addMarked() {
  const auto mark = [this](int index, auto&& draw) {
    if (index < 0 || index >= int(data().candidates.size())) return;
    const Candidate& candidate = data().candidates[std::size_t(index)];
    const double error = candidateError(candidate);
    if (!candidate.refused.empty() || !(candidate.options.width > 0) || !(error > 0)) return;
    draw(placeAlong(candidate, along_).value_or(levelPlace(pathIndex(pathsIn(data()), candidate))), error);
  };
  mark(data().best, [this](double x, double y) { markChoice(x, y); });
  mark(data().selected, [this](double x, double y) { markSelection(x, y); });
}

void ErrorChart::addLimit() {
  if (data().accuracy <= 0) return;
  auto* line = new QCPItemStraightLine(this);
  line->setPen(QPen(theme().limit, 1, Qt::DashLine));
  line->point1->setCoords(0, data().accuracy);
  line->point2->setCoords(1, data().accuracy);
  if (width() < minNamedWidth) return;
  auto* label = new QCPItemText(this);
  label->setText(QStringLiteral("requested ") + errorLabel(data().accuracy));
  label->setColor(theme().limit);
  label->setFont(xAxis->tickLabelFont());
  label->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
  label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
  label->position->setTypeY(QCPItemPosition::ptPlotCoords);
  label->position->setCoords(0.99, data().accuracy);
  names_.leaveFree(label);
}

PlaceMark::At ErrorChart::placeOf(const PlanPlace& place) const {
  using Mark = PlaceMark;
  return {Mark::orUnknown(along_ == Along::width ? place.width : place.alpha), Mark::orUnknown(place.error),
          Mark::orUnknown(place.accuracy)};
}

void ErrorChart::resetRanges() {
  const double range = std::max(xRange_.size(), minRange[along_ == Along::width ? 1 : 0]) * (0.5 + sideRoom);
  int longest = 0;  // name, in pixels
  for (const QCPItemText* text : ends_)
    longest = std::max(longest, besideEnd + QFontMetrics(text->font()).horizontalAdvance(text->text()));
  const double share = std::min(maxNameShare, longest / std::max(1.0, double(width() - besidePlot)));
  xAxis->setRange(
      QCPRange(xRange_.center() - range, xRange_.center() + range + 2 * range * share / (1 - share)));
  // Whole decades: the axis then has labels at both ends.
  yAxis->setRange(QCPRange(std::pow(10, std::floor(std::log10(yRange_.lower / decadeRoom))),
                           std::pow(10, std::ceil(std::log10(yRange_.upper * decadeRoom)))));
}

}  // namespace spokelab
