// All runs of the scan as a table over the full width: sortable and filtered by words. The times of
// all rows are compared with the pinned row's.
//   Enter, double click   the charts are of this run
//   P   pins the row, or no more     Ctrl+C   CSV
#pragma once

#include <QWidget>

#include <vector>

#include "engine/profile/runs/timed_run.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace spokelab {

class RunTableModel;

class RunTable : public QWidget {
  Q_OBJECT

 public:
  explicit RunTable(QWidget* parent = nullptr);

  void setRuns(const std::vector<TimedRun>& runs);
  RunTableModel* model() const { return model_; }
  QTableView* table() const { return table_; }

 Q_SIGNALS:
  void runChosen(int number);

 private:
  void pinCurrent();
  void tellCount();
  int sourceRow() const;  // of the current row; -1: none

  RunTableModel* model_;
  QSortFilterProxyModel* shown_;
  QTableView* table_;
  QLineEdit* filter_;
  QCheckBox* every_;
  QLabel* count_;
};

}  // namespace spokelab
