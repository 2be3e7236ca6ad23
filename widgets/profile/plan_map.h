// Every (α, W) cell in one picture: time or error as colour (log), grey where a plan cannot work, empty where none
// was tried, the staircase above which the requested accuracy is met. Columns are the α values that occur, rows are
// whole (or half) cells of W, rounded up; of several candidates in a cell the fastest is shown. A dot: admitted, but not timed.
#pragma once

#include <map>

#include "widgets/profile/chart.h"

namespace spokelab {

class PlanMap : public Chart {
  Q_OBJECT

 public:
  enum class Quantity { time, error };
  explicit PlanMap(QWidget* parent = nullptr);

  void setQuantity(Quantity quantity);
  int candidateAt(const QPoint& position) const override;  // of the cell under it

 protected:
  void rebuild() override;
  void resetRanges() override;

 private:
  struct Cell {
    int candidate = -1;
  };
  using Cells = std::map<std::pair<int, int>, Cell>;  // (column, row)

  Cells arrange();
  double valueOf(const Candidate& candidate) const;  // NaN: cannot work
  void addColours(const Cells& cells);
  void addUntimed(const Cells& cells);
  void addFrontier(const Cells& cells);
  void labelAxes();

  Quantity quantity_ = Quantity::time;
  std::vector<double> alphas_;
  double rowsPerCell_ = 1;
  int firstRow_ = 0, rows_ = 0;
  QCPColorScale* scale_ = nullptr;
};

}  // namespace spokelab
