#include "widgets/profile/study_chart.h"

#include <algorithm>
#include <cmath>

#include "widgets/core/number_text.h"
#include "widgets/core/plot/distinct_ticker.h"

namespace spokelab {
namespace {

constexpr double axisRoom = 0.06, decadeRoom = 1.3;
constexpr double dotPixels = 6, dotHolePixels = 3.5, ringPen = 1.5;

}  // namespace

StudyChart::StudyChart(QWidget* parent) : Chart(parent) {
}

void StudyChart::setRows(const StudyAxes& axes, const std::vector<StudyRow>& rows, const std::string& panel) {
  axes_ = axes;
  rows_ = rows;
  panel_ = panel;
  refresh();
}

QString StudyChart::detailsOf(int row) const {
  const StudyRow& r = rows_[std::size_t(row)];
  QString text = QStringLiteral("<b>%1</b><br>%2: %3<br>%4: %5")
                     .arg(QString::fromStdString(r.series).toHtmlEscaped(), QString::fromStdString(axes_.x))
                     .arg(axes_.categories.empty()
                              ? shortLabel(r.x, 5)
                              : QString::fromStdString(axes_.categories[std::size_t(r.x)]).toHtmlEscaped())
                     .arg(QString::fromStdString(axes_.y))
                     .arg(shortLabel(r.y, 4));
  if (r.yHigh > 0)
    text += tr("<br>quartiles of repeats: %1 to %2").arg(shortLabel(r.yLow, 4), shortLabel(r.yHigh, 4));
  if (r.timedOnce) text += tr("<br>timed once");
  if (r.candidate.options.width > 0)
    text += tr("<br>α %1, W %2")
                .arg(shortLabel(r.candidate.options.alpha, 4))
                .arg(shortLabel(r.candidate.options.width, 4));
  return text;
}

void StudyChart::setScale(QCPAxis& axis, bool logarithmic) {
  axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  axis.setTicker(QSharedPointer<DistinctTicker>::create(logarithmic));
  axis.setNumberFormat(logarithmic ? QStringLiteral("gbc") : QStringLiteral("gb"));
}

void StudyChart::addLine(const std::string& series, const QColor& colour) {
  QVector<double> x, y;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const StudyRow& r = rows_[i];
    if (r.panel != panel_ || r.series != series || (axes_.logY && r.y <= 0)) continue;
    x << r.x;
    y << r.y;
    spots_.push_back({int(i), r.x, r.y});
  }
  QCPGraph* graph = addGraph();
  graph->setPen(QPen(colour, 1.5));
  graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, colour, dotPixels));
  graph->setData(x, y);
  graph->setName(QString::fromStdString(series));
}

void StudyChart::addRepeats() {
  Bars bars;
  for (const Spot& spot : spots_) {
    const StudyRow& r = rows_[std::size_t(spot.candidate)];
    if (!(r.yHigh > 0)) continue;
    bars.x << spot.x;
    bars.y << spot.y;
    bars.below << std::max(0.0, r.y - r.yLow);
    bars.above << std::max(0.0, r.yHigh - r.y);
  }
  addQuartiles(Qt::Vertical, bars);
}

// Holes in their dots; the legend shows a ring.
bool StudyChart::addHoles() {
  QVector<double> x, y;
  for (const Spot& spot : spots_) {
    if (!rows_[std::size_t(spot.candidate)].timedOnce) continue;
    x << spot.x;
    y << spot.y;
  }
  if (x.isEmpty()) return false;
  addMarks(QCPScatterStyle(QCPScatterStyle::ssDisc, theme().background, dotHolePixels), x, y)
      ->setName(tr("timed once"));
  QCPGraph* key = addMarks(
      QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme().muted, ringPen), Qt::NoBrush, dotPixels), {},
      {});
  key->setName(tr("timed once"));
  key->addToLegend();
  return true;
}

bool StudyChart::addPrinted() {
  std::vector<std::string> series;
  for (const PrintedNumber& number : printed_)
    if (number.panel == panel_ && std::find(series.begin(), series.end(), number.series) == series.end())
      series.push_back(number.series);
  for (const std::string& name : series) {
    QVector<double> x, y;
    for (const PrintedNumber& number : printed_) {
      if (number.panel != panel_ || number.series != name) continue;
      x << number.x;
      y << number.y;
    }
    QCPGraph* graph = addGraph();
    graph->setPen(QPen(theme().muted, ringPen, Qt::DashLine));
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, theme().muted, dotPixels));
    graph->setData(x, y);
    graph->setName(QString::fromStdString(name));
  }
  return !series.empty();
}

void StudyChart::rebuild() {
  setScale(*xAxis, axes_.logX);
  setScale(*yAxis, axes_.logY);
  xAxis->setLabel(QString::fromStdString(axes_.x));
  yAxis->setLabel(QString::fromStdString(axes_.y));
  if (!axes_.categories.empty()) {
    const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (std::size_t i = 0; i < axes_.categories.size(); ++i)
      ticker->addTick(double(i), QString::fromStdString(axes_.categories[i]));
    xAxis->setTicker(ticker);
  }
  std::vector<std::string> series;
  for (const StudyRow& r : rows_)
    if (r.panel == panel_ && std::find(series.begin(), series.end(), r.series) == series.end())
      series.push_back(r.series);
  for (std::size_t i = 0; i < series.size(); ++i)
    addLine(series[i], theme().ofFamily(int(i), int(series.size())));
  lines_ = int(series.size());
  addRepeats();
  const bool once = addHoles(), printed = addPrinted();
  legend->setVisible(series.size() > 1 || once || printed);
}

void StudyChart::resetRanges() {
  if (spots_.empty()) return;
  QCPRange x(spots_.front().x, spots_.front().x), y(spots_.front().y, spots_.front().y);
  for (const Spot& spot : spots_) {
    x.expand(spot.x);
    y.expand(spot.y);
  }
  const auto widen = [](const QCPRange& r, bool logarithmic) {
    if (logarithmic) return QCPRange(r.lower / decadeRoom, r.upper * decadeRoom);
    const double more = r.size() > 0 ? axisRoom * r.size() : 0.5;
    return QCPRange(r.lower - more, r.upper + more);
  };
  if (!axes_.logY) y.expand(0);
  xAxis->setRange(widen(x, axes_.logX));
  yAxis->setRange(widen(y, axes_.logY));
  placeLegend();
}

// Puts the legend into the corner where it hides the fewest points.
void StudyChart::placeLegend() {
  constexpr double reach = 0.35;  // of the sides
  const auto share = [](double value, const QCPRange& range, bool logarithmic) {
    return logarithmic ? std::log(value / range.lower) / std::log(range.upper / range.lower)
                       : (value - range.lower) / range.size();
  };
  const Qt::Alignment corners[] = {Qt::AlignTop | Qt::AlignRight, Qt::AlignTop | Qt::AlignLeft,
                                   Qt::AlignBottom | Qt::AlignRight, Qt::AlignBottom | Qt::AlignLeft};
  int fewest = int(spots_.size()) + 1;
  for (const Qt::Alignment corner : corners) {
    int hidden = 0;
    for (const Spot& spot : spots_) {
      const double x = share(spot.x, xAxis->range(), axes_.logX),
                   y = share(spot.y, yAxis->range(), axes_.logY);
      hidden +=
          (corner & Qt::AlignLeft ? x : 1 - x) < reach && (corner & Qt::AlignBottom ? y : 1 - y) < reach;
    }
    if (hidden >= fewest) continue;
    fewest = hidden;
    axisRect()->insetLayout()->setInsetAlignment(0, corner);
  }
}

}  // namespace spokelab
