#include "widgets/core/plot/curve_plot.h"

#include <QClipboard>
#include <QHelpEvent>
#include <QMenu>
#include <QToolTip>

#include <algorithm>

#include "widgets/core/number_text.h"
#include "widgets/core/plot/axis_titles.h"
#include "widgets/core/plot/distinct_ticker.h"
#include "widgets/core/plot/plot_keys.h"

namespace spokelab {
namespace {

constexpr int maxClickPixels = 4;  // pixels a click may move and still be one
constexpr double ringPixels = 16;
constexpr int besideName = 3;              // pixels
constexpr int digits = 9, toldDigits = 4;  // of a number that is copied; that is told
const QString ringLayer = QStringLiteral("overlay");

}  // namespace

CurvePlot::CurvePlot(QWidget* parent)
    : QCustomPlot(parent), ring_(new QCPItemTracer(this)), titles_(new AxisTitles(this)) {
  setPlottingHint(QCP::phImmediateRefresh, false);  // painted with what else of the window has changed, once
  setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  setFocusPolicy(Qt::StrongFocus);
  ring_->setLayer(ringLayer);
  ring_->setStyle(QCPItemTracer::tsCircle);
  ring_->setSize(ringPixels);
  ring_->setVisible(false);
  keepTicksApart(*this);
  connect(this, &QCustomPlot::beforeReplot, titles_, &AxisTitles::take);
  connect(this, &QCustomPlot::afterLayout, this, &CurvePlot::placeNames);
  setTheme(ChartTheme::onScreen());
}

void CurvePlot::setTheme(const ChartTheme& theme) {
  applyTheme(*this, theme);
  ring_->setPen(QPen(theme.foreground, 1.5, Qt::DotLine));
}

void CurvePlot::setWholeRanges(const QCPRange& x, const QCPRange& y) {
  wholeX_ = x;
  wholeY_ = y;
  if (!zoomed_) showAll();
}

void CurvePlot::showAll() {
  zoomed_ = false;
  xAxis->setRange(wholeX_);
  yAxis->setRange(wholeY_);
  replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::zoom(double factor) {
  for (QCPAxis* axis : {xAxis, yAxis}) axis->scaleRange(factor);
  zoomed_ = true;
  replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::move(int right, int down) {
  const auto shifted = [](const QCPAxis& axis, int pixels) {
    const double low = axis.coordToPixel(axis.range().lower), high = axis.coordToPixel(axis.range().upper);
    return QCPRange(axis.pixelToCoord(low + pixels), axis.pixelToCoord(high + pixels));
  };
  xAxis->setRange(shifted(*xAxis, right * keyMovePixels));
  yAxis->setRange(shifted(*yAxis, down * keyMovePixels));
  zoomed_ = true;
  replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::setSteps(const QCPGraph* curve, int home) {
  steps_ = curve;
  home_ = home;
  if (steps_) framed_ = std::min(framed_, points() - 1);  // else kept for the next curve
  ring();
}

int CurvePlot::points() const {
  return steps_ ? steps_->dataCount() : 0;
}

void CurvePlot::frame(int index) {
  if (points() == 0) return;
  framed_ = std::clamp(index, 0, points() - 1);
  ring();
  layer(ringLayer)->replot();
  tellReaders(*this, QStringLiteral("%1 %2, %3 %4")
                         .arg(titles_->whole(xAxis), shortLabel(steps_->dataMainKey(framed_), toldDigits),
                              titles_->whole(yAxis), shortLabel(steps_->dataMainValue(framed_), toldDigits)));
}

void CurvePlot::ring() {
  ring_->setVisible(framed() >= 0 && hasFocus());
  if (framed() >= 0) ring_->position->setCoords(steps_->dataMainKey(framed_), steps_->dataMainValue(framed_));
}

QString CurvePlot::numbers() const {
  QString text = titles_->whole(xAxis) + QLatin1Char('\t') + titles_->whole(yAxis) + QLatin1Char('\n');
  for (int g = 0; g < graphCount(); ++g)
    for (const QCPGraphData& point : *graph(g)->data())
      text += QStringLiteral("%1\t%2\n").arg(point.key, 0, 'g', digits).arg(point.value, 0, 'g', digits);
  return text;
}

void CurvePlot::copyNumbers() const {
  QGuiApplication::clipboard()->setText(numbers());
}

void CurvePlot::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](const QString& text, const char* name, auto&& act) {
    menu->addAction(text, this, act)->setObjectName(QString::fromLatin1(name));
  };
  add(tr("Copy as a picture"), "copy-picture",
      [this] { QGuiApplication::clipboard()->setPixmap(toPixmap(width(), height(), devicePixelRatioF())); });
  add(tr("Copy as numbers"), "copy-numbers", [this] { copyNumbers(); });
  menu->addSeparator();
  add(tr("Show all"), "show-all", [this] { showAll(); });
  menu->popup(event->globalPos());
}

// The plot's tool tip, or the whole of a title that has no room.
bool CurvePlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QCustomPlot::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString title = titles_->elidedAt(help->pos());
  if (title.isEmpty()) return QCustomPlot::event(event);
  QToolTip::showText(help->globalPos(), title, this);
  return true;
}

void CurvePlot::keyPressEvent(QKeyEvent* event) {
  const PlotKey key = plotKeyOf(*event);
  const int right = key == PlotKey::right ? 1 : key == PlotKey::left ? -1 : 0;
  const int down = key == PlotKey::down ? 1 : key == PlotKey::up ? -1 : 0;
  if ((right != 0 || down != 0) && movesRange(*event)) return move(right, down);
  switch (key) {
    case PlotKey::left:
    case PlotKey::previous:
      return frame(framed_ - 1);
    case PlotKey::right:
    case PlotKey::next:
      return frame(framed_ + 1);
    case PlotKey::home:
      return frame(home_);
    case PlotKey::pick:
      if (framed() >= 0) Q_EMIT pointPicked(framed_);
      return;
    case PlotKey::zoomIn:
      return zoom(1 / keyZoom);
    case PlotKey::zoomOut:
      return zoom(keyZoom);
    case PlotKey::showAll:
      return showAll();
    case PlotKey::copy:
      return copyNumbers();
    default:
      QCustomPlot::keyPressEvent(event);
  }
}

// Without the focus, the wheel scrolls the plot's parent.
void CurvePlot::wheelEvent(QWheelEvent* event) {
  if (!hasFocus()) return event->ignore();
  QCustomPlot::wheelEvent(event);
  zoomed_ = true;
}

void CurvePlot::mousePressEvent(QMouseEvent* event) {
  pressed_ = event->pos();
  QCustomPlot::mousePressEvent(event);
}

void CurvePlot::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return QCustomPlot::mouseMoveEvent(event);
  if (!zoomed_ && (event->pos() - pressed_).manhattanLength() <= maxClickPixels) return;
  zoomed_ = true;
  QCustomPlot::mouseMoveEvent(event);
}

void CurvePlot::mouseReleaseEvent(QMouseEvent* event) {
  QCustomPlot::mouseReleaseEvent(event);
  const bool dragged = (event->pos() - pressed_).manhattanLength() > maxClickPixels;
  if (event->button() == Qt::LeftButton && !dragged) Q_EMIT clicked(event->pos());
}

void CurvePlot::mouseDoubleClickEvent(QMouseEvent*) {
  showAll();
}

void CurvePlot::focusInEvent(QFocusEvent* event) {
  QCustomPlot::focusInEvent(event);
  update();
  if (event->reason() != Qt::MouseFocusReason) frame(framed_ >= 0 ? framed_ : home_);
}

void CurvePlot::focusOutEvent(QFocusEvent* event) {
  QCustomPlot::focusOutEvent(event);
  update();
  ring();
  layer(ringLayer)->replot();
}

void CurvePlot::paintEvent(QPaintEvent* event) {
  QCustomPlot::paintEvent(event);
  paintFocusFrame(*this);
}

// The plot keeps its ring: only these items are removed.
void CurvePlot::setMarks(const std::vector<Mark>& marks) {
  names_.clear();
  for (QCPAbstractItem* item : marks_) removeItem(item);
  marks_.clear();
  markTexts_.clear();
  markPlaces_.clear();
  for (const Mark& mark : marks) {
    auto* line = new QCPItemStraightLine(this);
    line->setPen(QPen(mark.colour, 1, Qt::DashLine));
    line->point1->setCoords(mark.at, 1);
    line->point2->setCoords(mark.at, 2);
    marks_.push_back(line);
    if (mark.text.isEmpty()) continue;
    auto* text = new QCPItemText(this);
    text->setText(mark.text);
    text->setColor(mark.colour);
    text->setFont(xAxis->tickLabelFont());
    text->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    text->setPadding(QMargins(besideName, 0, 0, 0));
    text->position->setTypeX(QCPItemPosition::ptPlotCoords);
    text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(mark.at, 0);
    marks_.push_back(text);
    markTexts_.push_back(text);
    markPlaces_.push_back(mark.at);
  }
}

void CurvePlot::setNamed(const std::vector<QCPGraph*>& curves) {
  names_.clear();
  for (const Named& one : named_) removeItem(one.text);
  named_.clear();
  for (QCPGraph* curve : curves) {
    auto* text = new QCPItemText(this);
    text->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    text->setPadding(QMargins(0, 0, besideName, besideName));
    named_.push_back({curve, text});
  }
}

void CurvePlot::placeNames() {
  names_.clear();
  for (std::size_t i = 0; i < markTexts_.size(); ++i) names_.add(markTexts_[i], QPointF(markPlaces_[i], 0));
  std::vector<std::pair<QCPItemText*, QPointF>> ends;
  for (const auto& [curve, text] : named_) {
    text->setText(curve->name());
    text->setColor(curve->pen().color());
    text->setFont(xAxis->tickLabelFont());
    const QCPGraphData* last = nullptr;
    for (const QCPGraphData& point : *curve->data())
      if (xAxis->range().contains(point.key) && yAxis->range().contains(point.value)) last = &point;
    text->setVisible(last != nullptr);
    if (last) ends.emplace_back(text, QPointF(last->key, last->value));
  }
  // The upper ones first: names have the order of their curves.
  std::stable_sort(ends.begin(), ends.end(),
                   [](const auto& a, const auto& b) { return a.second.y() > b.second.y(); });
  for (const auto& [text, end] : ends) names_.add(text, end);
  names_.keepApart(axisRect()->rect());
}

}  // namespace spokelab
