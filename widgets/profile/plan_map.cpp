#include "widgets/profile/plan_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/profile/quantities.h"

namespace spokelab {
namespace {

constexpr double rowSlack = 1e-6;
constexpr double sameAlpha = 1e-6;
constexpr int mostColumnLabels = 8, mostRowLabels = 7;
constexpr double evenRange = 1.05;       // colour range where all values are equal
constexpr double widestPlainRange = 30;  // beyond it the colour scale is labelled in decades
constexpr int scaleWidth = 10;

// Rows of the map for one grid cell of W: whole cells where most widths are, else halves.
int rowsACell(const std::vector<Candidate>& candidates) {
  const auto whole = std::count_if(candidates.begin(), candidates.end(), [](const Candidate& candidate) {
    return std::abs(candidate.options.width - std::round(candidate.options.width)) < rowSlack;
  });
  return 2 * whole >= std::ptrdiff_t(candidates.size()) ? 1 : 2;
}

}  // namespace

PlanMap::PlanMap(QWidget* parent) : Chart(parent) {
  xAxis->setLabel(QStringLiteral("oversampling ratio α"));
  yAxis->setLabel(QStringLiteral("kernel width W (cells)"));
  scale_ = new QCPColorScale(this);
  scale_->setDataScaleType(QCPAxis::stLogarithmic);
  scale_->axis()->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
  scale_->setBarWidth(scaleWidth);
  scale_->setRangeDrag(false);
  scale_->setRangeZoom(false);
  plotLayout()->addElement(0, 1, scale_);
  auto* margins = new QCPMarginGroup(this);
  axisRect()->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
  scale_->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
  scale_->setMinimumMargins(QMargins(2, 0, 4, 0));
}

void PlanMap::setQuantity(Quantity quantity) {
  quantity_ = quantity;
  refresh();
}

int PlanMap::candidateAt(const QPoint& position) const {
  if (!axisRect()->rect().contains(position)) return -1;
  const double column = std::round(xAxis->pixelToCoord(position.x()));
  const double row = std::round(yAxis->pixelToCoord(position.y()) * rowsPerCell_);
  for (const Spot& spot : spots_) {
    if (spot.x == column && std::round(spot.y * rowsPerCell_) == row) return spot.candidate;
  }
  return -1;
}

double PlanMap::valueOf(const Candidate& candidate) const {
  if (!candidate.refused.empty()) return std::numeric_limits<double>::quiet_NaN();
  return quantity_ == Quantity::error ? candidateError(candidate) : candidate.timings.total;
}

PlanMap::Cells PlanMap::arrange() {
  alphas_.clear();
  rowsPerCell_ = rowsACell(data().candidates);
  for (const Candidate& candidate : data().candidates) {
    if (candidate.options.width > 0) alphas_.push_back(candidate.options.alpha);
  }
  std::sort(alphas_.begin(), alphas_.end());
  alphas_.erase(std::unique(alphas_.begin(), alphas_.end(),
                            [](double a, double b) { return std::abs(a - b) < sameAlpha; }),
                alphas_.end());
  Cells cells;
  int lastRow = 0;
  firstRow_ = std::numeric_limits<int>::max();
  for (int i = 0; i < int(data().candidates.size()); ++i) {
    const auto& candidate = data().candidates[std::size_t(i)];
    if (candidate.options.width <= 0) continue;
    const auto column =
        std::lower_bound(alphas_.begin(), alphas_.end(), candidate.options.alpha - sameAlpha) -
        alphas_.begin();
    const int row = int(std::ceil(candidate.options.width * rowsPerCell_ - rowSlack));
    firstRow_ = std::min(firstRow_, row);
    lastRow = std::max(lastRow, row);
    const auto [place, added] = cells.emplace(std::pair(int(column), row), Cell{i});
    if (added) continue;
    const auto& shown = data().candidates[std::size_t(place->second.candidate)];
    const bool faster =
        candidate.timed() && (!shown.timed() || candidate.timings.total < shown.timings.total);
    const bool marked = place->second.candidate == data().selected;
    if ((faster && !marked) || i == data().selected) place->second.candidate = i;
  }
  rows_ = cells.empty() ? 0 : lastRow - firstRow_ + 1;
  if (cells.empty()) firstRow_ = 0;
  return cells;
}

void PlanMap::rebuild() {
  const Cells cells = arrange();
  applyTheme(*scale_->axis(), theme());
  scale_->setVisible(!cells.empty());
  labelAxes();
  if (cells.empty()) return;
  addColours(cells);
  addUntimed(cells);
  addFrontier(cells);
  for (const auto& [place, cell] : cells) {
    const double y = (place.second) / rowsPerCell_;
    spots_.push_back({cell.candidate, double(place.first), y});
    if (cell.candidate == data().best) markChoice(place.first, y);
    if (cell.candidate == data().selected) markSelection(place.first, y);
  }
}

void PlanMap::addColours(const Cells& cells) {
  auto* map = new QCPColorMap(xAxis, yAxis);
  map->setInterpolate(false);
  map->setTightBoundary(false);
  map->data()->setSize(int(alphas_.size()), rows_);
  map->data()->setRange(QCPRange(0, double(alphas_.size()) - 1),
                        QCPRange(firstRow_ / rowsPerCell_, (firstRow_ + rows_ - 1) / rowsPerCell_));
  map->data()->fill(1);  // a cell without a candidate is transparent, whatever its value
  map->data()->fillAlpha(0);
  const double unit = quantity_ == Quantity::time ? 1e3 : 1;
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const auto& [place, cell] : cells) {
    const Candidate& candidate = data().candidates[std::size_t(cell.candidate)];
    if (candidate.refused.empty() && !(valueOf(candidate) > 0)) continue;
    const double value = unit * valueOf(candidate);
    map->data()->setCell(place.first, place.second - firstRow_, value);
    map->data()->setAlpha(place.first, place.second - firstRow_, 255);
    if (!(value > 0) || !std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(high > 0)) low = high = 1;
  if (high < low * evenRange) {
    low /= evenRange;
    high *= evenRange;
  }
  map->setColorScale(scale_);
  map->setGradient(mapGradient(theme()));
  map->setDataScaleType(QCPAxis::stLogarithmic);
  map->setDataRange(QCPRange(low, high));
  const bool decades = high / low > widestPlainRange;
  if (decades) {
    scale_->axis()->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    scale_->axis()->setNumberFormat(QStringLiteral("eb"));
    scale_->axis()->setNumberPrecision(0);
  } else {
    scale_->axis()->setTicker(QSharedPointer<QCPAxisTicker>::create());
    const bool time = quantity_ == Quantity::time;
    scale_->axis()->setNumberFormat(time ? QStringLiteral("f") : QStringLiteral("eb"));
    scale_->axis()->setNumberPrecision(time ? std::clamp(1 - int(std::floor(std::log10(low))), 0, 4) : 1);
  }
  scale_->axis()->setLabel(quantity_ == Quantity::time ? QStringLiteral("time (ms)")
                                                       : QStringLiteral("relative ℓ₂ error"));
}

void PlanMap::addUntimed(const Cells& cells) {
  QVector<double> x, y;
  for (const auto& [place, cell] : cells) {
    const Candidate& candidate = data().candidates[std::size_t(cell.candidate)];
    if (candidate.timed() || !candidate.refused.empty()) continue;
    x << place.first;
    y << place.second / rowsPerCell_;
  }
  addMarks(QCPScatterStyle(QCPScatterStyle::ssDisc, theme().muted, 3), x, y);
}

void PlanMap::addFrontier(const Cells& cells) {
  if (data().accuracy <= 0) return;
  const double half = 0.5 / rowsPerCell_;
  auto* frontier = new QCPCurve(xAxis, yAxis);
  frontier->setPen(QPen(theme().limit, 1.5, Qt::DashLine));
  frontier->setName(QStringLiteral("accuracy met above"));
  const int top = firstRow_ + rows_;
  for (int column = 0; column < int(alphas_.size()); ++column) {
    int lowest = top;
    for (int row = firstRow_; row < top; ++row) {
      const auto cell = cells.find({column, row});
      if (cell == cells.end()) continue;
      const auto& candidate = data().candidates[std::size_t(cell->second.candidate)];
      if (candidate.refused.empty() && meetsAccuracy(candidate, data().accuracy)) {
        lowest = row;
        break;
      }
    }
    const double y = lowest / rowsPerCell_ - half;
    frontier->addData(column - 0.5, y);
    frontier->addData(column + 0.5, y);
  }
}

void PlanMap::labelAxes() {
  auto columns = QSharedPointer<QCPAxisTickerText>::create();
  const int columnStride = std::max(1, (int(alphas_.size()) + mostColumnLabels - 1) / mostColumnLabels);
  for (int i = 0; i < int(alphas_.size()); i += columnStride) {
    columns->addTick(i, numberLabel(alphas_[std::size_t(i)], 2));
  }
  xAxis->setTicker(columns);
  auto rows = QSharedPointer<QCPAxisTickerText>::create();
  const int rowStride = std::max(1, (rows_ + mostRowLabels - 1) / mostRowLabels);
  for (int row = firstRow_; row < firstRow_ + rows_; ++row) {
    if (row % (rowStride > 1 ? rowStride + rowStride % 2 : 1) == 0) {
      rows->addTick(row / rowsPerCell_, numberLabel(row / rowsPerCell_, 1));
    }
  }
  yAxis->setTicker(rows);
  for (QCPAxis* axis : {xAxis, yAxis}) axis->grid()->setVisible(false);
}

void PlanMap::resetRanges() {
  const double half = 0.5 / rowsPerCell_;
  xAxis->setRange(-0.5, std::max<double>(double(alphas_.size()), 1) - 0.5);
  yAxis->setRange(firstRow_ / rowsPerCell_ - half,
                  (firstRow_ + std::max(rows_, 1) - 1) / rowsPerCell_ + half);
}

}  // namespace spokelab
