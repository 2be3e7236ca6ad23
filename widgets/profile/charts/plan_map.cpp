#include "widgets/profile/charts/plan_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/core/candidate_text.h"
#include "widgets/core/number_text.h"
#include "widgets/core/plot/distinct_ticker.h"

namespace spokelab {
namespace {

constexpr int minRatioHeight = 190;  // pixels of a map whose scale has room for a longer title
constexpr int maxColumnLabels = 8, maxRowLabels = 7, scaleWidthPixels = 10;
constexpr int scaleTickPixels = 45;
constexpr double evenColourRange = 1.05;  // colour range where all values are equal
constexpr double maxPlainRange = 30;      // beyond it the colour scale is labelled in decades
constexpr int opaque = 255, pale = 60;    // of 255
constexpr int cellParts = 3;              // parts of a cell, for the square in its middle

// A colour map whose cells are rectangles in vector formats. The class that it extends embeds a
// picture with nine times the chart's pixels there, which takes long to compress and says no more.
class CellMap : public QCPColorMap {
 public:
  using QCPColorMap::QCPColorMap;

 protected:
  void draw(QCPPainter* painter) override {
    if (!painter->modes().testFlag(QCPPainter::pmVectorized)) return QCPColorMap::draw(painter);
    QCPColorGradient colours = gradient();
    painter->setPen(Qt::NoPen);
    const auto edge = [](const QCPAxis* axis, const QCPRange& range, int count, double cell) {
      const double step = count > 1 ? range.size() / (count - 1) : 1;
      return std::round(axis->coordToPixel(range.center() + (cell - double(count) / 2) * step));
    };
    const QCPColorMapData& cells = *data();
    for (int x = 0; x < cells.keySize(); ++x) {
      const double left = edge(keyAxis(), cells.keyRange(), cells.keySize(), x);
      const double right = edge(keyAxis(), cells.keyRange(), cells.keySize(), x + 1);
      for (int y = 0; y < cells.valueSize(); ++y) {
        const int alpha = data()->alpha(x, y);
        if (alpha == 0) continue;
        QColor colour(
            colours.color(data()->cell(x, y), dataRange(), dataScaleType() == QCPAxis::stLogarithmic));
        colour.setAlpha(alpha);
        painter->setBrush(colour);
        const double bottom = edge(valueAxis(), cells.valueRange(), cells.valueSize(), y);
        const double top = edge(valueAxis(), cells.valueRange(), cells.valueSize(), y + 1);
        painter->drawRect(QRectF(QPointF(left, top), QPointF(right, bottom)).normalized());
      }
    }
  }
};

}  // namespace

PlanMap::PlanMap(QWidget* parent) : Chart(parent) {
  setAccessibleName(tr("Map of plans"));
  setFocusPolicy(Qt::StrongFocus);
  scale_ = new QCPColorScale(this);
  scale_->setDataScaleType(QCPAxis::stLogarithmic);
  scale_->axis()->setTicker(QSharedPointer<DistinctTicker>::create(true));
  applyTheme(*scale_->axis(), theme());
  scale_->setBarWidth(scaleWidthPixels);
  scale_->setRangeDrag(false);
  scale_->setRangeZoom(false);
  scale_->setVisible(false);
  auto* margins = new QCPMarginGroup(this);
  axisRect()->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
  scale_->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
  scale_->setMinimumMargins(QMargins(2, 0, 4, 0));
  putLegendBelow();
  legend->setVisible(true);
  // The layout says how much room there is, and what is chosen for it changes the layout: that is
  // done again at once, as a chart for a file is painted only once.
  connect(this, &QCustomPlot::afterLayout, this, [this] {
    using Element = QCPLayoutElement;
    if (!fitTexts()) return;
    for (const auto phase : {Element::upPreparation, Element::upMargins, Element::upLayout})
      plotLayout()->update(phase);
  });
}

void PlanMap::setQuantity(PlanQuantity quantity) {
  quantity_ = quantity;
  refresh();
}

void PlanMap::setRows(PlanRows rows) {
  rows_ = rows;
  refresh();
}

void PlanMap::setFilter(const PlanFilter& filter) {
  filter_ = filter;
  refresh();
}

void PlanMap::setPredictedOver(bool on) {
  predicted_ = on;
  refresh();
}

int PlanMap::candidateAt(const QPoint& position) const {
  if (!axisRect()->rect().contains(position)) return -1;
  const int column = int(std::lround(xAxis->pixelToCoord(position.x())));
  const int row = int(std::lround(yAxis->pixelToCoord(position.y()) * cells_.rowsPerCell));
  const auto cell = cells_.cells.find({column, row});
  return cell == cells_.cells.end() ? -1 : cell->second;
}

QString PlanMap::detailsOf(int candidate) const {
  QString text = Chart::detailsOf(candidate);
  const Candidate& plan = at(candidate);
  if (!plan.refused.empty()) return text;
  text += QStringLiteral("<br>") +
          tr("kernel %1, values: %2")
              .arg(planPart(plan, PlanRows::kernel), planPart(plan, PlanRows::precomputation));
  if (!meetsAccuracy(plan, data().accuracy))
    text += QStringLiteral("<br>") + tr("does not meet the accuracy %1").arg(errorLabel(data().accuracy));
  const int by = std::size_t(candidate) < beaten_.size() ? beaten_[std::size_t(candidate)] : -2;
  if (by >= 0)
    text += QStringLiteral("<br>") + tr("beaten in time, error and memory by %1 (%2)")
                                         .arg(candidateTitle(at(by)), secondsLabel(at(by).cost()));
  if (by == -1) text += QStringLiteral("<br>") + tr("on the Pareto front");
  return text;
}

void PlanMap::rebuild() {
  cells_ = arrangePlans(data(), rows_, quantity_, filter_);
  beaten_ = quantity_ == PlanQuantity::pareto ? dominators(data(), filter_) : std::vector<int>();
  applyTheme(*scale_->axis(), theme());
  showScale(!cells_.cells.empty());
  labelAxes();
  if (cells_.cells.empty()) {
    framing_ = false;
    return;
  }
  addColours();
  addUntimed();
  addPathBorders();
  if (rows_ == PlanRows::width) addFrontier();
  if (quantity_ == PlanQuantity::pareto) addFront();
  for (const auto& [place, candidate] : cells_.cells)
    spots_.push_back({candidate, double(place.first), place.second * rowHeight()});
  addMarked();
  if (framing_ && hasFocus()) addOutline(frame_.first, frame_.second, QPen(theme().selected, 2, Qt::DotLine));
}

// Adds the marked plans to their cells, also if a cell shows a variant.
void PlanMap::addMarked() {
  const auto mark = [this](int index, auto&& draw) {
    if (index < 0 || index >= int(data().candidates.size())) return;
    const Candidate& candidate = at(index);
    const auto place = cells_.placeOf(candidate, rows_);
    if (filter_.admits(candidate) && cells_.cells.contains(place))
      draw(place.first, place.second * rowHeight());
  };
  mark(data().best, [this](double x, double y) { markChoice(x, y); });
  mark(data().selected, [this](double x, double y) { markSelection(x, y); });
}

void PlanMap::addColours() {
  auto* map = new CellMap(xAxis, yAxis);
  map->removeFromLegend();
  map->setInterpolate(false);
  map->setTightBoundary(false);
  // A second, empty column and row give a single one its size.
  const int columns = std::max(2, int(cells_.columns.size())), rows = std::max(2, cells_.rows);
  map->data()->setSize(columns, rows);
  map->data()->setRange(QCPRange(0, double(columns) - 1),
                        QCPRange(cells_.firstRow * rowHeight(), (cells_.firstRow + rows - 1) * rowHeight()));
  map->data()->fill(1);  // a cell without a candidate is transparent, whatever its value
  map->data()->fillAlpha(0);
  const double unit = unitOf(quantity_);
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const auto& [place, candidate] : cells_.cells) {
    const double value = unit * measuredValue(at(candidate), quantity_);
    if (at(candidate).refused.empty() && !(value > 0)) continue;
    const bool beaten = !beaten_.empty() && beaten_[std::size_t(candidate)] >= 0;
    map->data()->setCell(place.first, place.second - cells_.firstRow, value);
    map->data()->setAlpha(place.first, place.second - cells_.firstRow, beaten ? pale : opaque);
    if (!(value > 0) || !std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(high > 0)) low = high = 1;
  if (high < low * evenColourRange) {
    low /= evenColourRange;
    high *= evenColourRange;
  }
  map->setColorScale(scale_);
  map->setGradient(mapGradient(theme()));
  map->setDataScaleType(QCPAxis::stLogarithmic);
  map->setDataRange(QCPRange(low, high));
  labelScale(low, high);
  if (predicted_) addPredicted(low, high);
}

// The same colours for the predicted values, in the middle of each cell.
void PlanMap::addPredicted(double low, double high) {
  auto* map = new CellMap(xAxis, yAxis);
  map->removeFromLegend();
  map->setInterpolate(false);
  map->setTightBoundary(false);
  const int columns = cellParts * int(cells_.columns.size()), rows = cellParts * cells_.rows;
  const double step = 1.0 / cellParts;
  map->data()->setSize(columns, rows);
  map->data()->setRange(QCPRange(-step, double(cells_.columns.size()) - 1 + step),
                        QCPRange((cells_.firstRow - step) * rowHeight(),
                                 (cells_.firstRow + cells_.rows - 1 + step) * rowHeight()));
  map->data()->fill(1);
  map->data()->fillAlpha(0);
  for (const auto& [place, candidate] : cells_.cells) {
    const double value = unitOf(quantity_) * predictedValue(at(candidate), quantity_);
    if (!(value > 0)) continue;
    const int x = cellParts * place.first + 1, y = cellParts * (place.second - cells_.firstRow) + 1;
    map->data()->setCell(x, y, std::clamp(value, low, high));
    map->data()->setAlpha(x, y, opaque);
  }
  map->setGradient(mapGradient(theme()));
  map->setDataScaleType(QCPAxis::stLogarithmic);
  map->setDataRange(QCPRange(low, high));
}

// Out of the layout while it tells nothing: an empty map fills its place.
void PlanMap::showScale(bool on) {
  scale_->setVisible(on);
  if (on == (scale_->layout() != nullptr)) return;
  if (!on) {
    plotLayout()->take(scale_);
    plotLayout()->simplify();
    return;
  }
  int row = 0;  // below the title, where there is one
  while (plotLayout()->element(row, 0) != axisRect()) ++row;
  plotLayout()->addElement(row, 1, scale_);
}

void PlanMap::labelScale(double low, double high) {
  if (high / low > maxPlainRange) {
    scale_->axis()->setTicker(QSharedPointer<DistinctTicker>::create(true));
    scale_->axis()->setNumberFormat(QStringLiteral("eb"));
    scale_->axis()->setNumberPrecision(0);
  } else {
    const bool plain = quantity_ != PlanQuantity::error;
    scale_->axis()->setTicker(QSharedPointer<DistinctTicker>::create(false));
    scale_->axis()->setNumberFormat(plain ? QStringLiteral("f") : QStringLiteral("eb"));
    scale_->axis()->setNumberPrecision(plain ? std::clamp(1 - int(std::floor(std::log10(low))), 0, 4) : 1);
  }
  scale_->axis()->ticker()->setTickCount(std::clamp(height() / scaleTickPixels, 2, 5));
  // Colours fill the whole scale, however close the values lie: the ratio says how close.
  const bool hasRoom = height() >= minRatioHeight && high > low && low > 0;
  scale_->axis()->setLabel(scaleTitle(quantity_) +
                           (hasRoom ? tr(", 1 : %1").arg(shortLabel(high / low, 3)) : QString()));
}

void PlanMap::addUntimed() {
  QVector<double> x, y;
  for (const auto& [place, candidate] : cells_.cells) {
    if (at(candidate).timed() || !at(candidate).refused.empty()) continue;
    x << place.first;
    y << place.second * rowHeight();
  }
  addMarks(QCPScatterStyle(QCPScatterStyle::ssDisc, theme().muted, 3), x, y);
}

void PlanMap::addFrontier() {
  if (data().accuracy <= 0) return;
  auto* frontier = new QCPCurve(xAxis, yAxis);
  frontier->setPen(QPen(theme().limit, 1.5, Qt::DashLine));
  frontier->setName(tr("accurate enough above"));
  const int top = cells_.firstRow + cells_.rows;
  for (int column = 0; column < int(cells_.columns.size()); ++column) {
    if (!cells_.columns[std::size_t(column)].isGrid()) continue;  // it has no W
    int lowest = top;
    for (int row = cells_.firstRow; row < top; ++row) {
      const auto cell = cells_.cells.find({column, row});
      if (cell == cells_.cells.end()) continue;
      const Candidate& candidate = at(cell->second);
      if (candidate.refused.empty() && meetsAccuracy(candidate, data().accuracy)) {
        lowest = row;
        break;
      }
    }
    const double y = (lowest - 0.5) * rowHeight();
    frontier->addData(column - 0.5, y);
    frontier->addData(column + 0.5, y);
  }
}

void PlanMap::addPathBorders() {
  for (std::size_t column = 1; column < cells_.columns.size(); ++column) {
    if (cells_.columns[column].name == cells_.columns[column - 1].name) continue;
    auto* border = new QCPItemStraightLine(this);
    border->setPen(QPen(theme().foreground, 1));
    border->point1->setCoords(double(column) - 0.5, 0);
    border->point2->setCoords(double(column) - 0.5, 1);
  }
}

void PlanMap::addFront() {
  for (const auto& [place, candidate] : cells_.cells)
    if (beaten_[std::size_t(candidate)] == -1)
      addOutline(place.first, place.second, QPen(theme().foreground, 1.5));
}

void PlanMap::addOutline(int column, int row, const QPen& pen) {
  constexpr double half = 0.46;  // just inside the cell
  auto* outline = new QCPItemRect(this);
  outline->setPen(pen);
  outline->setBrush(Qt::NoBrush);
  outline->topLeft->setCoords(column - half, (row + half) * rowHeight());
  outline->bottomRight->setCoords(column + half, (row - half) * rowHeight());
}

// Texts at evenly spaced columns; a path without a ratio is named if it has room.
std::vector<AxisText> PlanMap::columnTexts() const {
  const int count = int(cells_.columns.size());
  const auto every = [&](int stride) {
    std::vector<AxisText> texts;
    for (int i = 0; i < count; ++i)
      if (cells_.isLabelled(i, stride))
        texts.push_back({double(i), columnLabel(cells_.columns[std::size_t(i)])});
    return texts;
  };
  for (int stride = std::max(1, (count + maxColumnLabels - 1) / maxColumnLabels); stride <= count; ++stride)
    if (std::vector<AxisText> texts = every(stride); standApart(*xAxis, texts)) return texts;
  return thinnedOut(*xAxis, every(std::max(1, count)));
}

std::vector<AxisText> PlanMap::rowTexts() const {
  std::vector<AxisText> names;
  for (int row = 0; row < int(cells_.names.size()); ++row) names.push_back({double(row), cells_.names[row]});
  if (rows_ != PlanRows::width) return thinnedOut(*yAxis, names);
  const auto every = [&](int stride) {
    std::vector<AxisText> texts;
    for (int row = cells_.firstRow; row < cells_.firstRow + cells_.rows; ++row)
      if (row == cells_.noWidthRow)
        texts.push_back({row * rowHeight(), tr("no W")});
      else if (row % stride == 0)
        texts.push_back({row * rowHeight(), numberLabel(row * rowHeight(), 1)});
    return texts;
  };
  // Whole widths where rows are half cells.
  const auto rounded = [](int stride) { return stride > 1 ? stride + stride % 2 : 1; };
  for (int stride = std::max(1, (cells_.rows + maxRowLabels - 1) / maxRowLabels); stride <= cells_.rows;
       ++stride)
    if (std::vector<AxisText> texts = every(rounded(stride)); standApart(*yAxis, texts)) return texts;
  return thinnedOut(*yAxis, every(rounded(std::max(1, cells_.rows))));
}

bool PlanMap::fitTexts() {
  const bool columns = showTexts(*xAxis, columnTexts()), rows = showTexts(*yAxis, rowTexts());
  if (!scale_->visible() || quantity_ == PlanQuantity::error) return columns || rows;
  // A range of less than a decade keeps the ticker's, which has even steps.
  constexpr std::size_t minTexts = 3;
  const std::vector<AxisText> values = decadeTexts(*scale_->axis());
  return (values.size() >= minTexts && showTexts(*scale_->axis(), values)) || columns || rows;
}

void PlanMap::labelAxes() {
  const bool others = std::any_of(cells_.columns.begin(), cells_.columns.end(),
                                  [](const CandidatePath& path) { return !path.isGrid(); });
  xAxis->setLabel(withWorkload(others ? tr("α; T: Toeplitz, α_T") : tr("oversampling ratio α")));
  yAxis->setLabel(rows_ == PlanRows::width ? tr("kernel width W (cells)") : QString());
  for (QCPAxis* axis : {xAxis, yAxis}) axis->grid()->setVisible(false);
}

void PlanMap::resetRanges() {
  xAxis->setRange(-0.5, std::max<double>(double(cells_.columns.size()), 1) - 0.5);
  yAxis->setRange((cells_.firstRow - 0.5) * rowHeight(),
                  (cells_.firstRow + std::max(cells_.rows, 1) - 0.5) * rowHeight());
  fitTexts();
}

QString PlanMap::numbers() const {
  QString text = QStringLiteral("path\talpha\tW\t%1\n").arg(scaleTitle(quantity_));
  constexpr int digits = 9;
  const auto number = [](std::optional<double> v) { return v ? shortLabel(*v, digits) : QString(); };
  for (const auto& [place, candidate] : cells_.cells) {
    const Candidate& plan = at(candidate);
    const QStringList row = {QString::fromStdString(pathOf(plan).name),
                             number(placeAlong(plan, Along::alpha)), number(placeAlong(plan, Along::width)),
                             number(unitOf(quantity_) * measuredValue(plan, quantity_))};
    text += row.join(QLatin1Char('\t')) + QLatin1Char('\n');
  }
  return text;
}

}  // namespace spokelab
