#include "widgets/profile/charts/chart.h"

#include <QClipboard>
#include <QHelpEvent>
#include <QMenu>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "engine/profile/results/results.h"
#include "widgets/core/candidate_text.h"
#include "widgets/core/screen_theme.h"
#include "widgets/profile/charts/run_trace.h"

namespace spokelab {
namespace {

constexpr int maxClickPixels = 4;        // pixels a click may move and still be one
constexpr double pickRadiusPixels = 14;  // pixels around a point
constexpr QSize minChartSize(180, 120);
constexpr double maxLegendShare = 0.5;  // of the height
constexpr double tracePixels = 5, ringPixels = 18;
constexpr int digits = 9;  // of a number that is copied
const QString ringLayer = QStringLiteral("overlay");
constexpr std::size_t maxTracesInLegend = 3;

}  // namespace

Chart::Chart(QWidget* parent) : QCustomPlot(parent) {
  setMinimumSize(minChartSize);
  setInteractions(QCP::iRangeZoom);
  setSelectionRectMode(QCP::srmZoom);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  axisRect()->setMinimumMargins(QMargins(6, 8, 8, 4));
  for (QCPAxis* axis : {xAxis2, yAxis2}) {
    axis->setVisible(true);
    axis->setTicks(false);
    axis->setTickLabels(false);
  }
  applyTheme(*this, theme_);
  selectionRect()->setPen(QPen(theme_.selected, 1, Qt::DashLine));
  connect(this, &QCustomPlot::afterLayout, this, &Chart::fitLegend);
  followScreenTheme(this, [this] { setTheme(ChartTheme::onScreen()); });
}

// A legend that would hide most of a small chart gives way.
void Chart::fitLegend() {
  if (legend->layout() != axisRect()->insetLayout()) return;
  const QSize size = legend->minimumOuterSizeHint();
  legend->setVisible(legendWanted_ && size.height() <= maxLegendShare * axisRect()->height() &&
                     size.width() <= axisRect()->width());
}

void Chart::setData(const ProfileData& data) {
  if (data.candidates.empty()) zoomed_ = false;
  data_ = data;
  refresh();
}

void Chart::setTheme(const ChartTheme& theme) {
  theme_ = theme;
  selectionRect()->setPen(QPen(theme_.selected, 1, Qt::DashLine));
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
  ring_ = nullptr;
  clearItems();
  spots_.clear();
  applyTheme(*this, theme_);
  if (title_) title_->setTextColor(theme_.foreground);
  rebuild();
  legendWanted_ = legend->visible();
  if (!zoomed_) resetRanges();
  ringPointed();
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
  const QString text = candidateDetails(data_.candidates[std::size_t(candidate)]);
  return isTie(data_, candidate) ? text + tr("<br>a tie with ◆: the repeats show no difference") : text;
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

// --- zoom, moves, clicks ---

void Chart::mousePressEvent(QMouseEvent* event) {
  pressed_ = moved_ = event->pos();
  moving_ = event->button() == Qt::MiddleButton ||
            (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
  if (event->button() == Qt::LeftButton && !moving_) QCustomPlot::mousePressEvent(event);
}

void Chart::mouseReleaseEvent(QMouseEvent* event) {
  if (std::exchange(moving_, false)) return;
  if (event->button() != Qt::LeftButton) return;
  const bool dragged = (event->pos() - pressed_).manhattanLength() > maxClickPixels;
  if (!dragged) selectionRect()->cancel();
  QCustomPlot::mouseReleaseEvent(event);
  zoomed_ |= dragged;
  if (dragged) return;
  const int index = candidateAt(event->pos());
  if (index >= 0) Q_EMIT candidateSelected(index);
}

void Chart::mouseMoveEvent(QMouseEvent* event) {
  if (moving_) {
    move(event->pos() - moved_);
    moved_ = event->pos();
    return;
  }
  QCustomPlot::mouseMoveEvent(event);
  if (event->buttons() != Qt::NoButton) return;
  const int candidate = candidateAt(event->pos());
  setCursor(candidate >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  tellPointed(candidate);
}

void Chart::move(const QPoint& by) {
  const auto shifted = [](const QCPAxis& axis, int pixels) {
    const double low = axis.coordToPixel(axis.range().lower), high = axis.coordToPixel(axis.range().upper);
    return QCPRange(axis.pixelToCoord(low - pixels), axis.pixelToCoord(high - pixels));
  };
  xAxis->setRange(shifted(*xAxis, by.x()));
  yAxis->setRange(shifted(*yAxis, by.y()));
  zoomed_ = true;
  replot(QCustomPlot::rpQueuedReplot);
}

void Chart::mouseDoubleClickEvent(QMouseEvent*) {
  showAll();
}

void Chart::showAll() {
  zoomed_ = false;
  refresh();
}

// Without the focus the wheel is for what the chart lies in.
void Chart::wheelEvent(QWheelEvent* event) {
  if (!hasFocus()) return event->ignore();
  QCustomPlot::wheelEvent(event);
  zoomed_ = true;
}

void Chart::leaveEvent(QEvent* event) {
  QCustomPlot::leaveEvent(event);
  tellPointed(-1);
}

void Chart::tellPointed(int candidate) {
  if (candidate == told_) return;
  told_ = candidate;
  Q_EMIT pointed(candidate);
}

void Chart::setPointed(int candidate) {
  if (candidate == ringed_) return;
  ringed_ = candidate;
  ringPointed();
  layer(ringLayer)->replot();
}

// On a layer of its own, which is drawn in no time.
void Chart::ringPointed() {
  const auto spot =
      std::find_if(spots_.begin(), spots_.end(), [this](const Spot& s) { return s.candidate == ringed_; });
  const bool any = ringed_ >= 0 && spot != spots_.end();
  if (!any && !ring_) return;
  if (!ring_) {
    ring_ = new QCPItemTracer(this);
    ring_->setLayer(ringLayer);
    ring_->setStyle(QCPItemTracer::tsCircle);
    ring_->setSize(ringPixels);
    ring_->setPen(QPen(theme_.foreground, 1.5, Qt::DotLine));
  }
  ring_->setVisible(any);
  if (any) ring_->position->setCoords(spot->x, spot->y);
}

// --- copies ---

std::vector<int> Chart::drawnCandidates() const {
  std::set<int> drawn;
  for (const Spot& spot : spots_) drawn.insert(spot.candidate);
  return {drawn.begin(), drawn.end()};
}

QString Chart::csv() const {
  if (data_.candidates.empty()) return numbers().replace(QLatin1Char('\t'), QLatin1Char(','));
  TuneResult drawn;
  for (const int i : drawnCandidates()) {
    if (i == data_.best) drawn.best = int(drawn.candidates.size());
    drawn.candidates.push_back(data_.candidates[std::size_t(i)]);
  }
  return QString::fromStdString(toCsv(drawn));
}

QString Chart::numbers() const {
  QString text = xAxis->label() + QLatin1Char('\t') + yAxis->label() + QLatin1Char('\n');
  for (const Spot& spot : spots_)
    text += QStringLiteral("%1\t%2\n").arg(spot.x, 0, 'g', digits).arg(spot.y, 0, 'g', digits);
  return text;
}

void Chart::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](const QString& text, const char* name, auto&& act) {
    QAction* action = menu->addAction(text, this, act);
    action->setObjectName(QString::fromLatin1(name));
  };
  QClipboard& clipboard = *QGuiApplication::clipboard();
  add(tr("Copy as a picture"), "copy-picture",
      [this, &clipboard] { clipboard.setPixmap(toPixmap(width(), height(), devicePixelRatioF())); });
  add(tr("Copy as CSV"), "copy-csv", [this, &clipboard] { clipboard.setText(csv()); });
  add(tr("Copy as numbers"), "copy-numbers", [this, &clipboard] { clipboard.setText(numbers()); });
  menu->addSeparator();
  add(tr("Show all"), "show-all", [this] { showAll(); });
  menu->popup(event->globalPos());
}

QCPScatterStyle Chart::pathMark(int index, double pixels, std::optional<QColor> own) const {
  constexpr std::array<QCPScatterStyle::ScatterShape, 4> shapes = {
      QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle,
      QCPScatterStyle::ssTriangleInverted};
  const QColor colour = own.value_or(theme_.ofPath(index));
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

void Chart::addTrace(const RunTrace& trace, const QVector<double>& x, const QVector<double>& y, bool line) {
  if (x.isEmpty()) return;
  const QColor colour = theme_.ofRun(trace.number);
  QCPGraph* graph =
      addMarks(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colour, 1), Qt::NoBrush, tracePixels), x, y);
  if (line) graph->setLineStyle(QCPGraph::lsLine);
  graph->setPen(QPen(colour, 1));
  graph->setName(trace.title);
  if (data_.traces.size() <= maxTracesInLegend) graph->addToLegend();
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
