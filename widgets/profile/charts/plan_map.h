// Candidates over α and W in one picture (or over α and implementation, kernel, source of kernel
// values): time, error or memory as colour (log), or the Pareto front of the three, with beaten
// plans pale. Grey: a plan that cannot work; empty: no plan was tried. A dashed staircase: above it
// the requested accuracy is met. A dot: admitted, but not timed. An optional square in the middle
// of a cell has the colour of the value that the models predict.
//   click            that plan          arrow keys   move the frame from cell to cell
//   Space, Enter     picks or chooses it    Home         move the frame to the tuner's choice
#pragma once

#include "widgets/profile/charts/axis_texts.h"
#include "widgets/profile/charts/chart.h"
#include "widgets/profile/charts/plan_cells.h"

namespace spokelab {

class PlanMap : public Chart {
  Q_OBJECT

 public:
  explicit PlanMap(QWidget* parent = nullptr);

  void setQuantity(PlanQuantity quantity);
  void setRows(PlanRows rows);
  void setFilter(const PlanFilter& filter);
  void setPredictedOver(bool on);
  PlanQuantity quantity() const { return quantity_; }
  PlanRows rows() const { return rows_; }
  const PlanFilter& filter() const { return filter_; }
  bool predictedOver() const { return predicted_; }

  int candidateAt(const QPoint& position) const override;  // of the cell under it
  QString detailsOf(int candidate) const override;
  int framed() const override;
  QString numbers() const override;  // α, W and the value of each cell

 protected:
  void rebuild() override;
  QString promise() const override { return tr("A cell for each plan, α across and W up,"); }
  bool drawsTraces() const override { return false; }
  void resetRanges() override;
  PlaceMark::At placeOf(const PlanPlace& place) const override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool framesSpots() const override { return false; }  // but from cell to cell

 private:
  using Cells = std::map<std::pair<int, int>, int>;

  const Candidate& at(int index) const { return data().candidates[std::size_t(index)]; }
  double rowHeight() const { return 1 / cells_.rowsPerCell; }
  void addMarked();
  void addColours();
  void addPredicted(double low, double high);
  void addUntimed();
  void addPathBorders();
  void addFrontier();
  void addFront();
  void addOutline(int column, int row, const QPen& pen);
  void labelAxes();
  bool fitTexts();  // at the axes and the scale, to the room that there is; false: they were those
  std::vector<AxisText> columnTexts() const;
  std::vector<AxisText> rowTexts() const;
  void labelScale(double low, double high);
  void showScale(bool on);
  void frame(std::pair<int, int> cell);
  void moveFrame(int columns, int rows);

  PlanQuantity quantity_ = PlanQuantity::time;
  PlanRows rows_ = PlanRows::width;
  PlanFilter filter_;
  bool predicted_ = false;
  PlanCells cells_;
  std::vector<int> beaten_;      // dominators(), on the Pareto map
  std::pair<int, int> frame_{};  // a cell, where the map has the focus
  bool framing_ = false;
  QCPColorScale* scale_ = nullptr;
};

}  // namespace spokelab
