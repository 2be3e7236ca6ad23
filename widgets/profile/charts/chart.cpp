#include "widgets/profile/charts/chart.h"

#include <QClipboard>
#include <QMenu>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "engine/profile/results/results.h"
#include "widgets/core/candidate_text.h"
#include "widgets/core/plot/axis_titles.h"
#include "widgets/core/plot/distinct_ticker.h"
#include "widgets/core/screen_theme.h"
#include "widgets/profile/charts/run_trace.h"

namespace spokelab {
namespace {

constexpr double pickRadiusPixels = 14;  // pixels around a point
constexpr QSize minChartSize(180, 120);
constexpr double maxLegendShare = 0.5, maxLegendBelow = 0.25;  // of the height
constexpr int minLegendHeight = 150;                           // pixels of the chart
constexpr double tracePixels = 5, ringPixels = 18, markedPixels = 12, quartilePen = 1.2, whiskerPixels = 6;
constexpr int digits = 9;  // of a number that is copied
constexpr std::size_t maxTracesInLegend = 3;
constexpr int besideTextPixels = 6, minTextPixels = 90;  // beside a line of text in the plot; of the line

// The text in lines of at most this width, unless a single word is wider.
QString wrapped(const QString& text, const QFont& font, int pixels) {
  const QFontMetrics metrics(font);
  QString lines, line;
  for (const QString& word : text.split(QLatin1Char(' '))) {
    const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
    const bool fits = metrics.horizontalAdvance(longer) <= pixels;
    if (!fits && !line.isEmpty()) lines += line + QLatin1Char('\n');
    line = fits || line.isEmpty() ? longer : word;
  }
  return lines + line;
}

}  // namespace

Chart::Chart(QWidget* parent) : QCustomPlot(parent), axisTitles_(new AxisTitles(this)), placeMark_(*this) {
  setPlottingHint(QCP::phImmediateRefresh, false);  // painted with what else of the window has changed, once
  setMinimumSize(minChartSize);
  setInteractions(QCP::iRangeZoom);
  setSelectionRectMode(QCP::srmZoom);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  keepTicksApart(*this);
  axisRect()->setMinimumMargins(QMargins(6, 8, 8, 4));
  for (QCPAxis* axis : {xAxis2, yAxis2}) {
    axis->setVisible(true);
    axis->setTicks(false);
    axis->setTickLabels(false);
  }
  applyTheme(*this, theme_);
  selectionRect()->setPen(QPen(theme_.selected, 1, Qt::DashLine));
  connect(this, &QCustomPlot::afterLayout, this, &Chart::fitLegend);
  connect(selectionRect(), &QCPSelectionRect::accepted, this, &Chart::brush);
  followScreenTheme(this, [this] { setTheme(ChartTheme::onScreen()); });
}

// Texts that depend on the room: a legend that would hide most of a small chart gives way.
void Chart::fitLegend() {
  wrapPromise();
  if (legend->layout() != axisRect()->insetLayout()) return;
  const QSize size = legend->minimumOuterSizeHint();
  legend->setVisible(legendWanted_ && size.height() <= maxLegendShare * axisRect()->height() &&
                     size.width() <= axisRect()->width());
}

// The number of labels depends on the room.
void Chart::resizeEvent(QResizeEvent* event) {
  QCustomPlot::resizeEvent(event);
  refresh();
}

void Chart::putLegendBelow() {
  constexpr double smallStretch = 1e-3;  // of the legend's row
  axisRect()->insetLayout()->take(legend);
  plotLayout()->addElement(1, 0, legend);
  plotLayout()->setRowStretchFactor(1, smallStretch);
  legend->setFillOrder(QCPLegend::foColumnsFirst);
}

// Wraps the legend into the columns that fit; all columns have the widest one's width. A legend
// that would take a quarter of the height is hidden.
void Chart::wrapLegend() {
  if (legend->layout() == axisRect()->insetLayout()) return;
  int widest = 0, rowHeight = 0, items = 0;
  for (int i = 0; i < legend->itemCount(); ++i) {
    if (!legend->item(i)) continue;  // an empty place of the last row
    const QSize size = legend->item(i)->minimumOuterSizeHint();
    widest = std::max(widest, size.width() + legend->columnSpacing());
    rowHeight = std::max(rowHeight, size.height());
    ++items;
  }
  // An empty legend would keep its column narrow; below what means "no limit" with margins.
  constexpr int anyWidth = QWIDGETSIZE_MAX / 2;
  if (items == 0) {
    legend->setMinimumSize(1, 1);
    legend->setMaximumSize(anyWidth, 1);
    return;
  }
  const QMargins margins = legend->margins();
  int room = width() - margins.left() - margins.right();
  for (int i = 0; i < plotLayout()->elementCount(); ++i)
    if (const auto* scale = qobject_cast<QCPColorScale*>(plotLayout()->elementAt(i)))
      room -= scale->outerRect().width();
  const int columns = std::clamp(room / widest, 1, items), rows = (items + columns - 1) / columns;
  const bool fits =
      widest <= room && height() >= minLegendHeight && rows * rowHeight <= maxLegendBelow * height();
  legend->setWrap(columns);
  legend->setFillOrder(QCPLegend::foColumnsFirst, true);
  legend->setVisible(fits);
  legend->setMinimumSize(fits ? QSize(0, 0) : QSize(1, 1));  // 0: what its items need
  legend->setMaximumSize(anyWidth, fits ? QWIDGETSIZE_MAX : 1);
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
  marks_.clear();
  placeMark_.forget();
  clearItems();
  promise_ = nullptr;
  spots_.clear();
  applyTheme(*this, theme_);
  if (title_) title_->setTextColor(theme_.foreground);
  rebuild();
  tellPromise();
  axisTitles_->take();
  if (positionOf(framed_).isNull()) framed_ = -1;
  legendWanted_ = legend->visible();
  wrapLegend();
  if (!zoomed_) resetRanges();
  drawMarked();
  ringPointed();
  drawPlace();
  replot(QCustomPlot::rpQueuedReplot);
}

// Writes the promise in the middle of an empty chart.
void Chart::tellPromise() {
  const QString what = promise();
  const bool empty = spots_.empty() && (data_.traces.empty() || !drawsTraces());
  if (!empty || what.isEmpty()) return;
  const QString text = data_.candidates.empty()
                           ? tr("%1 will be here. Open a scan, then Sweep times its plans.").arg(what)
                           : tr("None of these plans can be shown here.");
  setAccessibleDescription(text);
  auto* label = new QCPItemText(this);
  label->setObjectName(QStringLiteral("promise"));
  label->setClipToAxisRect(false);
  label->position->setType(QCPItemPosition::ptAxisRectRatio);
  label->position->setCoords(0.5, 0.5);
  label->setFont(xAxis->labelFont());
  label->setColor(theme_.foreground);
  label->setBrush(theme_.background);  // no line of the grid runs through it
  label->setText(text);
  promise_ = label;
  promised_ = text;
}

// Wraps the text once the room between the axes is known.
void Chart::wrapPromise() {
  if (!promise_) return;
  const int room = axisRect()->width() - 2 * besideTextPixels;
  promise_->setText(wrapped(promised_, promise_->font(), std::max(room, minTextPixels)));
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

QString Chart::titleOf(const QCPAxis* axis) const {
  return axisTitles_->whole(axis);
}

QString Chart::withWorkload(const QString& label) const {
  if (!data_.workload) return label;
  return label + QStringLiteral("  ·  ") + QString::fromStdString(workloadText(*data_.workload));
}

QString Chart::detailsOf(int candidate) const {
  QString text = candidateDetails(data_.candidates[std::size_t(candidate)]);
  if (data_.firstOfResults >= 0 && candidate >= data_.firstOfResults)
    text += tr("<br>timed while it made an image: the mean of all its executions");
  return isTie(data_, candidate) ? text + tr("<br>a tie with ◆: the repeats show no difference") : text;
}

void Chart::setPointed(int candidate) {
  if (candidate == ringed_) return;
  ringed_ = candidate;
  ringPointed();
  layer(placeLayer)->replot();
}

// The ring has a separate layer, which is redrawn quickly.
void Chart::ringPointed() {
  const auto spot =
      std::find_if(spots_.begin(), spots_.end(), [this](const Spot& s) { return s.candidate == ringed_; });
  const bool any = ringed_ >= 0 && spot != spots_.end();
  if (!any && !ring_) return;
  if (!ring_) {
    ring_ = new QCPItemTracer(this);
    ring_->setLayer(placeLayer);
    ring_->setStyle(QCPItemTracer::tsCircle);
    ring_->setSize(ringPixels);
    ring_->setPen(QPen(theme_.foreground, 1.5, Qt::DotLine));
  }
  ring_->setVisible(any);
  if (any) ring_->position->setCoords(spot->x, spot->y);
}

void Chart::setMarked(const std::vector<int>& candidates) {
  if (candidates == marked_) return;
  marked_ = candidates;
  drawMarked();
  layer(placeLayer)->replot();
}

void Chart::drawMarked() {
  for (QCPItemTracer* mark : marks_) removeItem(mark);
  marks_.clear();
  for (const Spot& spot : spots_) {
    if (std::find(marked_.begin(), marked_.end(), spot.candidate) == marked_.end()) continue;
    auto* mark = new QCPItemTracer(this);
    mark->setLayer(placeLayer);
    mark->setStyle(QCPItemTracer::tsSquare);
    mark->setSize(markedPixels);
    mark->setPen(QPen(theme_.foreground, 1.5));
    mark->position->setCoords(spot.x, spot.y);
    marks_.push_back(mark);
  }
}

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
  QString text = titleOf(xAxis) + QLatin1Char('\t') + titleOf(yAxis) + QLatin1Char('\n');
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

void Chart::addQuartiles(Qt::Orientation along, const Bars& bars) {
  if (bars.x.isEmpty()) return;
  // A graph sorts its points, by whose places the bars are told apart.
  std::vector<std::array<double, 4>> rows;
  for (qsizetype i = 0; i < bars.x.size(); ++i)
    rows.push_back({bars.x[i], bars.y[i], bars.below[i], bars.above[i]});
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });
  std::array<QVector<double>, 4> sorted;
  for (std::size_t i = 0; i < 4 * rows.size(); ++i) sorted[i % 4] << rows[i / 4][i % 4];
  QCPGraph* middles = addMarks(QCPScatterStyle(QCPScatterStyle::ssNone), {}, {});
  middles->setData(sorted[0], sorted[1], true);
  auto* drawn = new QCPErrorBars(xAxis, yAxis);
  drawn->setErrorType(along == Qt::Horizontal ? QCPErrorBars::etKeyError : QCPErrorBars::etValueError);
  drawn->setDataPlottable(middles);
  drawn->setData(sorted[2], sorted[3]);
  drawn->setPen(QPen(theme_.foreground, quartilePen));
  drawn->setWhiskerWidth(whiskerPixels);
  drawn->setSymbolGap(0);
  drawn->setName(tr("quartiles of repeats"));
  if (height() < minNamedHeight) drawn->removeFromLegend();
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
  const bool ran = data_.firstOfResults >= 0 && data_.selected >= data_.firstOfResults;
  mark->setName(ran ? tr("shown result, as it ran") : tr("shown plan"));
  mark->addToLegend();
}

}  // namespace spokelab
