#include "widgets/profile/charts/chart.h"

#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "widgets/core/candidate_text.h"

namespace spokelab {
namespace {

constexpr int maxClickPixels = 4;        // pixels a click may move and still be one
constexpr double pickRadiusPixels = 14;  // pixels around a point
constexpr QSize minChartSize(180, 120);
constexpr double maxLegendShare = 0.5;  // of the height

}  // namespace

Chart::Chart(QWidget* parent) : QCustomPlot(parent) {
  setMinimumSize(minChartSize);
  setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  setNoAntialiasingOnDrag(true);
  setFocusPolicy(Qt::ClickFocus);
  setMouseTracking(true);
  axisRect()->setMinimumMargins(QMargins(6, 8, 8, 4));
  for (QCPAxis* axis : {xAxis2, yAxis2}) {
    axis->setVisible(true);
    axis->setTicks(false);
    axis->setTickLabels(false);
  }
  applyTheme(*this, theme_);
  connect(this, &QCustomPlot::afterLayout, this, &Chart::fitLegend);
}

// A legend that would hide most of a low chart gives way.
void Chart::fitLegend() {
  if (legend->layout() != axisRect()->insetLayout()) return;
  const double room = maxLegendShare * axisRect()->height();
  legend->setVisible(legendWanted_ && legend->minimumOuterSizeHint().height() <= room);
}

void Chart::setData(const ProfileData& data) {
  if (data.candidates.empty()) zoomed_ = false;
  data_ = data;
  refresh();
}

void Chart::setTheme(const ChartTheme& theme) {
  theme_ = theme;
  refresh();
}

void Chart::setTitle(const QString& title) {
  if (!title_) {
    plotLayout()->insertRow(0);
    title_ = new QCPTextElement(this);
    plotLayout()->addElement(0, 0, title_);
  }
  QFont font;
  font.setBold(true);
  title_->setFont(font);
  title_->setText(title);
  title_->setTextColor(theme_.foreground);
}

void Chart::refresh() {
  clearPlottables();
  clearItems();
  spots_.clear();
  applyTheme(*this, theme_);
  if (title_) title_->setTextColor(theme_.foreground);
  rebuild();
  legendWanted_ = legend->visible();
  if (!zoomed_) resetRanges();
  replot(QCustomPlot::rpQueuedReplot);
}

int Chart::candidateAt(const QPoint& position) const {
  if (!axisRect()->rect().contains(position)) return -1;
  int nearest = -1;
  double nearestDistance = std::numeric_limits<double>::infinity();
  for (const Spot& spot : spots_) {
    const double dx = xAxis->coordToPixel(spot.x) - position.x();
    const double dy = picksColumns() ? 0 : yAxis->coordToPixel(spot.y) - position.y();
    const double distance = std::hypot(dx, dy);
    if (distance < nearestDistance) {
      nearestDistance = distance;
      nearest = spot.candidate;
    }
  }
  return nearestDistance <= pickRadiusPixels ? nearest : -1;
}

QPoint Chart::positionOf(int candidate) const {
  for (const Spot& spot : spots_) {
    if (spot.candidate != candidate) continue;
    return {int(std::lround(xAxis->coordToPixel(spot.x))), int(std::lround(yAxis->coordToPixel(spot.y)))};
  }
  return {};
}

QString Chart::withWorkload(const QString& label) const {
  if (!data_.workload) return label;
  return label + QStringLiteral("  ·  ") + QString::fromStdString(workloadText(*data_.workload));
}

QString Chart::detailsOf(int candidate) const {
  return candidateDetails(data_.candidates[std::size_t(candidate)]);
}

bool Chart::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const int index = candidateAt(help->pos());
    if (index >= 0) {
      QToolTip::showText(help->globalPos(), detailsOf(index), this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return QCustomPlot::event(event);
}

void Chart::mousePressEvent(QMouseEvent* event) {
  pressed_ = event->pos();
  QCustomPlot::mousePressEvent(event);
}

void Chart::mouseReleaseEvent(QMouseEvent* event) {
  QCustomPlot::mouseReleaseEvent(event);
  if (event->button() != Qt::LeftButton) return;
  if ((event->pos() - pressed_).manhattanLength() > maxClickPixels) {
    zoomed_ = true;
    return;
  }
  const int index = candidateAt(event->pos());
  if (index >= 0) Q_EMIT candidateSelected(index);
}

void Chart::mouseMoveEvent(QMouseEvent* event) {
  QCustomPlot::mouseMoveEvent(event);
  if (event->buttons() == Qt::NoButton) {
    setCursor(candidateAt(event->pos()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  }
}

void Chart::mouseDoubleClickEvent(QMouseEvent*) {
  zoomed_ = false;
  refresh();
}

void Chart::wheelEvent(QWheelEvent* event) {
  QCustomPlot::wheelEvent(event);
  zoomed_ = true;
}

QCPScatterStyle Chart::pathMark(int index, double pixels) const {
  constexpr std::array<QCPScatterStyle::ScatterShape, 4> shapes = {
      QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle,
      QCPScatterStyle::ssTriangleInverted};
  const QColor colour = theme_.ofPath(index);
  const auto shape = shapes[std::size_t(std::max(index, 0)) % shapes.size()];
  if (shape == QCPScatterStyle::ssDisc) return {shape, colour, pixels / 2};
  return {shape, QPen(theme_.background, 0.5), QBrush(colour), pixels};
}

QCPGraph* Chart::addMarks(const QCPScatterStyle& style, const QVector<double>& x, const QVector<double>& y) {
  QCPGraph* graph = addGraph();
  graph->setLineStyle(QCPGraph::lsNone);
  graph->setScatterStyle(style);
  graph->setData(x, y);
  graph->removeFromLegend();
  return graph;
}

void Chart::markChoice(double x, double y) {
  QCPGraph* mark = addMarks(
      QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(theme_.background, 1), QBrush(theme_.chosen), 11), {x},
      {y});
  mark->setName(tr("tuner's choice"));
  mark->addToLegend();
}

void Chart::markSelection(double x, double y) {
  QCPGraph* mark = addMarks(
      QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme_.selected, 2), Qt::NoBrush, 14), {x}, {y});
  mark->setName(tr("shown plan"));
  mark->addToLegend();
}

}  // namespace spokelab
